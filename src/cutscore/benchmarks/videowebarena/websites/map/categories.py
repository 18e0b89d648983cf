"""Kinds of places: how many there are, what they are called, when they are open, and what else is known of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

WEEK = ("Mo-Fr 08:00-18:00; Sa 09:00-13:00", "Mo-Fr 09:00-17:30; Sa 10:00-14:00", "Mo-Sa 09:00-18:00")
OFFICE = ("Mo-Fr 08:30-16:00", "Mo-Fr 09:00-17:00")
CAFE = ("Mo-Su 08:00-18:00", "Tu-Su 09:00-17:00", "Mo-Sa 07:30-17:30")
EVENING = ("Tu-Su 17:00-23:00", "Mo-Su 11:30-22:00", "We-Su 12:00-22:30")
VISITS = ("Tu-Su 10:00-17:00", "We-Su 10:00-18:00", "Tu-Sa 11:00-16:00")
SHOPS = ("Mo-Sa 08:00-20:00", "Mo-Sa 07:00-21:00")
ALWAYS = ("24/7",)
SEATS = {"outdoor_seating": ("yes", "no"), "wheelchair": ("yes", "limited", "no")}


@dataclass(frozen=True)
class PlaceCategory:
    """One kind of place, by a tag of the published map: `amenity=cafe`.

    Args:
        label: As people call it.
        name: Of a place, with blanks for words: `{look} {thing} Café`.
        hours: One of these; nobody answers the phone where there are none.
        more: Further tags, each with the values it may have.
    """

    key: str
    value: str
    label: str
    count: int
    name: str
    hours: tuple[str, ...] = ()
    more: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


_FOOD = {**SEATS, "cuisine": ("fish", "italian", "indian", "regional", "vegetarian", "noodles")}
_STARS = {"stars": ("2", "3", "4"), "rooms": ("12", "18", "24", "36", "60"), "internet_access": ("wlan", "no")}
_ENTRY = {"fee": ("yes", "no"), "wheelchair": ("yes", "limited")}
_FUEL = {"fuel:diesel": ("yes",), "fuel:electricity": ("yes", "no")}
_PARKING = {"capacity": ("20", "45", "80", "120", "210"), "fee": ("yes", "no")}

CATEGORIES = (
    PlaceCategory(
        "amenity", "cafe", "Café", 20, "{look} {thing} Café", CAFE, {**SEATS, "internet_access": ("wlan", "no")}
    ),
    PlaceCategory("amenity", "restaurant", "Restaurant", 20, "The {look} {thing}", EVENING, _FOOD),
    PlaceCategory("amenity", "pub", "Pub", 8, "{thing} and {other}", EVENING, SEATS),
    PlaceCategory("amenity", "bank", "Bank", 5, "{surname} Bank", OFFICE, {"atm": ("yes", "no")}),
    PlaceCategory("amenity", "pharmacy", "Pharmacy", 8, "{thing} Pharmacy", WEEK, {"dispensing": ("yes",)}),
    PlaceCategory("amenity", "school", "School", 9, "{surname} School", (), {"capacity": ("120", "260", "340", "480")}),
    PlaceCategory("amenity", "kindergarten", "Kindergarten", 5, "{look} {thing} Kindergarten"),
    PlaceCategory("amenity", "library", "Library", 4, "{surname} Library", OFFICE, {"internet_access": ("wlan",)}),
    PlaceCategory("amenity", "doctors", "Doctors", 5, "Dr {surname}", OFFICE, {"wheelchair": ("yes", "no")}),
    PlaceCategory("amenity", "cinema", "Cinema", 3, "{thing} Cinema", EVENING, {"screen": ("2", "4", "6")}),
    PlaceCategory("amenity", "theatre", "Theatre", 2, "{surname} Theatre", EVENING),
    PlaceCategory("amenity", "place_of_worship", "Church", 7, "{surname} Chapel"),
    PlaceCategory("amenity", "fuel", "Fuel Station", 5, "{surname} Fuel", ALWAYS, _FUEL),
    PlaceCategory("amenity", "parking", "Parking", 8, "{thing} Car Park", ALWAYS, _PARKING),
    PlaceCategory("amenity", "post_office", "Post Office", 4, "{surname} Post Office", OFFICE),
    PlaceCategory("tourism", "museum", "Museum", 8, "{topic} Museum", VISITS, _ENTRY),
    PlaceCategory("tourism", "gallery", "Gallery", 4, "{surname} Gallery", VISITS, {"fee": ("yes", "no")}),
    PlaceCategory("tourism", "hotel", "Hotel", 10, "{thing} Hotel", ALWAYS, _STARS),
    PlaceCategory("tourism", "guest_house", "Guest House", 6, "{surname} Guest House", ALWAYS, _STARS),
    PlaceCategory("leisure", "sports_centre", "Sports Centre", 4, "{surname} Sports Centre", SHOPS),
    PlaceCategory("leisure", "playground", "Playground", 7, "{look} {thing} Playground"),
    PlaceCategory("shop", "bakery", "Bakery", 9, "{surname} Bakery", CAFE),
    PlaceCategory("shop", "supermarket", "Supermarket", 7, "{look} {thing} Market", SHOPS, {"wheelchair": ("yes",)}),
    PlaceCategory("shop", "books", "Book Shop", 5, "{thing} Books", WEEK),
    PlaceCategory(
        "shop", "bicycle", "Bicycle Shop", 4, "{surname} Cycles", WEEK, {"service:bicycle:repair": ("yes", "no")}
    ),
    PlaceCategory("shop", "florist", "Florist", 4, "{surname} Flowers", WEEK),
    PlaceCategory("shop", "hardware", "Hardware Store", 3, "{surname} Hardware", WEEK),
    PlaceCategory("shop", "clothes", "Clothes Shop", 5, "{thing} Clothing", WEEK),
    PlaceCategory(
        "highway", "bus_stop", "Bus Stop", 16, "{street} Stop", (), {"shelter": ("yes", "no"), "bench": ("yes", "no")}
    ),
)

# One of each, by name: kind, label and the hours.
LANDMARKS = (
    ("Ellerby Central Station", "railway", "station", "Railway Station", "Mo-Su 05:00-24:00"),
    ("Ellerby Town Hall", "amenity", "townhall", "Town Hall", "Mo-Fr 09:00-16:00"),
    ("Sandholm University", "amenity", "university", "University", "Mo-Fr 08:00-20:00"),
    ("Sandholm General Hospital", "amenity", "hospital", "Hospital", "24/7"),
    ("Ellerby Police Station", "amenity", "police", "Police", "24/7"),
    ("Ellerby Fire Station", "amenity", "fire_station", "Fire Station", "24/7"),
    ("Harbourside Stadium", "leisure", "stadium", "Stadium", "Sa-Su 12:00-18:00"),
    ("Ellerby Swimming Pool", "leisure", "swimming_pool", "Swimming Pool", "Mo-Su 07:00-21:00"),
)
# At the shore, each near a village: what it is called after the village.
SHORE = (
    ("{village} Lighthouse", "man_made", "lighthouse", "Lighthouse"),
    ("{village} Beach", "natural", "beach", "Beach"),
    ("{village} Viewpoint", "tourism", "viewpoint", "Viewpoint"),
)
LABELS = {
    **{(each.key, each.value): each.label for each in CATEGORIES},
    **{(key, value): label for _, key, value, label, *_ in (*LANDMARKS, *SHORE)},
    ("leisure", "park"): "Park",
    ("natural", "water"): "Lake",
    ("natural", "wood"): "Wood",
    ("waterway", "river"): "River",
    ("place", "town"): "Town",
    ("place", "village"): "Village",
    ("place", "house"): "House",
    ("highway", "motorway"): "Motorway",
    ("highway", "primary"): "Main Road",
    ("highway", "residential"): "Street",
    ("highway", "pedestrian"): "Pedestrian Street",
    ("highway", "cycleway"): "Cycle Path",
    ("highway", "footway"): "Footpath",
}
