// Writes where the browser is into the field of the start. Where it does not know, the button stays hidden.
const button = document.getElementById("use_location");
button.hidden = !("geolocation" in navigator);
button.addEventListener("click", () => navigator.geolocation.getCurrentPosition(
  ({coords}) => {
    document.getElementById("route_from").value = `${coords.latitude.toFixed(5)}, ${coords.longitude.toFixed(5)}`;
    button.textContent = "Start from my location";
  },
  () => { button.textContent = "Your location is not known."; },
));
