// @ts-check
"use strict";

/*
 * Several films in step. Films of one length share a clock, and every clock has an axis: a slider, lanes and a cursor
 * that agree. The clock counts frames of its first film that is shown; every other film shows what it shows at the
 * middle of that frame, so that no rounding of a container can land on a neighbour. While they play, the first one leads
 * and the others follow it: a little late or early is made up by speed, more by a jump. Each film says which of its own
 * frames the browser really painted. What is seen is written into the address, which can be sent.
 */

/** Half of a frame may be rounding; from there on the others are led back. */
const SLACK_FRAMES = 0.5;
/** What speed cannot make up within a second. */
const JUMP_FRAMES = 4;
/** How long the address waits for the next move; browsers refuse to rewrite it too often. */
const ADDRESS_MS = 200;
const FASTEST = 8;

/**
 * A film on the page.
 * @typedef {{figure: HTMLElement, video: HTMLVideoElement, rate: number, frames: number, said: HTMLOutputElement | null}} Film
 */

/**
 * Write seconds as the rest of the report does.
 * @param {number} at
 * @returns {string}
 */
function timecode(at) {
  const milli = Math.round(at * 1000);
  const two = (/** @type {number} */ part) => String(Math.floor(part)).padStart(2, "0");
  const clock = `${two((milli / 60000) % 60)}:${two((milli / 1000) % 60)}.${String(milli % 1000).padStart(3, "0")}`;
  return milli < 3600000 ? clock : `${two(milli / 3600000)}:${clock}`;
}

/**
 * Say how far across an element the pointer is, from 0 to 1.
 * @param {PointerEvent} event
 * @param {Element} element
 * @returns {number}
 */
function across(event, element) {
  const box = element.getBoundingClientRect();
  return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
}

/** A clock: the films that share it, and the slider, the cursor and the loop that show it. */
class Axis {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.rate = Number(element.dataset.rate);
    this.frames = Number(element.dataset.frames);
    this.ids = (element.dataset.films ?? "").split(" ").filter(Boolean);
    this.frame = 0;
    /** @type {[number, number] | null} */
    this.loop = null;
    this.scrub = /** @type {HTMLInputElement} */ (element.querySelector(".scrub"));
    /** Which film is seen in which stretch, where that is known. */
    this.map = [...element.querySelectorAll("rect[data-shows]")].map((mark) => {
      const { start, end, shows } = /** @type {SVGElement} */ (mark).dataset;
      return { start: Number(start), end: Number(end), film: shows ?? "" };
    });
  }

  /** @returns {number} Seconds at the middle of the frame. */
  get at() {
    return (this.frame + 0.5) / this.rate;
  }

  /** @param {number} frame */
  set(frame) {
    this.frame = Math.max(0, Math.min(this.frames - 1, Math.round(frame)));
    this.tell();
  }

  /** Write the slider, the cursor and the loop, all by the same share of the axis. */
  tell() {
    this.scrub.value = String(this.frame);
    this.scrub.setAttribute("aria-valuetext", timecode(this.frame / this.rate));
    const share = (/** @type {number} */ frame) => `${(100 * frame) / this.frames}%`;
    const line = this.element.querySelector(".cursor line");
    line?.setAttribute("x1", share(this.frame));
    line?.setAttribute("x2", share(this.frame));
    const [first, end] = this.loop ?? [0, 0];
    const drawn = this.element.querySelector(".cursor .loop");
    drawn?.setAttribute("x", share(first));
    drawn?.setAttribute("width", share(end - first));
  }
}

/** One review: its films, their axes and the controls. */
class Review {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.playing = false;
    /** How fast it goes back; 0 when it does not. */
    this.back = 0;
    this.flipped = false;
    this.pending = 0;
    /** @type {Film[]} */
    this.screens = [...section.querySelectorAll(".screen")].map((figure) => this.screen(/** @type {HTMLElement} */ (figure)));
    this.axes = [...section.querySelectorAll(".axis")].map((each) => new Axis(/** @type {HTMLElement} */ (each)));
    this.axis = /** @type {Axis} */ (this.axes[0]);
    this.first = this.shown;
    this.listen();
    section.classList.add("steered");
    for (const part of section.querySelectorAll(".films [hidden], .transport, .scrub, .keys")) part.toggleAttribute("hidden", false);
    for (const { video } of this.screens) video.controls = false;
    steered.set(section, this);
    void this.restore();
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement}
   */
  one(selector) {
    return /** @type {HTMLElement} */ (this.section.querySelector(selector));
  }

  /**
   * @param {HTMLElement} figure
   * @returns {Film}
   */
  screen(figure) {
    const video = /** @type {HTMLVideoElement} */ (figure.querySelector("video"));
    const screen = { figure, video, rate: Number(figure.dataset.rate), frames: Number(figure.dataset.frames), said: figure.querySelector("output") };
    const painted = (/** @type {number} */ _now, /** @type {VideoFrameCallbackMetadata} */ facts) => {
      this.painted(screen, facts.mediaTime);
      video.requestVideoFrameCallback(painted);
    };
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(painted);
    video.addEventListener("error", () => { if (screen.said) screen.said.textContent = "cannot be played here"; });
    return screen;
  }

  /**
   * Say which frame the browser shows.
   * @param {Film} screen
   * @param {number} at Seconds.
   */
  painted(screen, at) {
    // After a seek Firefox gives the time that was asked for, others that of the frame, which containers round.
    const frame = Math.min(Math.floor(at * screen.rate + 0.1), screen.frames - 1);
    screen.figure.dataset.shown = String(frame);
    if (screen.said) screen.said.textContent = `frame ${frame}`;
    this.mix();
  }

  /** @returns {Film[]} */
  get on() {
    return this.screens.filter((screen) => screen.figure.classList.contains("on") && !screen.video.error);
  }

  /** @returns {string} The ids of the films that are on. */
  get shown() {
    return this.screens.filter((screen) => screen.figure.classList.contains("on")).map((screen) => screen.video.id).join(",");
  }

  /**
   * @param {Axis} axis
   * @returns {Film[]} Its films that are on.
   */
  films(axis) {
    return this.on.filter((screen) => axis.ids.includes(screen.video.id));
  }

  /**
   * @param {string} id Of a player.
   * @returns {Axis}
   */
  axisOf(id) {
    return this.axes.find((axis) => axis.ids.includes(id)) ?? this.axis;
  }

  /**
   * Show one frame of every film of an axis, paused, and wait until all have it; where it is known what is seen there,
   * films of other clocks go with them.
   * @param {number} frame
   * @param {Axis} axis
   * @returns {Promise<void>}
   */
  async go(frame, axis = this.axis) {
    this.axis = axis;
    axis.set(frame);
    this.tell();
    const led = axis.map.filter(({ start, end }) => axis.at >= start && axis.at < end);
    await Promise.all([
      ...this.films(axis).map((screen) => this.seek(screen, axis.at)),
      ...led.map(({ start, film }) => this.lead(film, axis.at - start)),
    ]);
  }

  /**
   * @param {string} id Of a film of another clock.
   * @param {number} at Seconds.
   */
  async lead(id, at) {
    const [screen, axis] = [this.on.find(({ video }) => video.id === id), this.axisOf(id)];
    if (!screen || axis === this.axis) return;
    axis.set(Math.floor(at * axis.rate));
    await this.seek(screen, axis.at);
  }

  /**
   * @param {Film} screen
   * @param {number} at Seconds.
   * @returns {Promise<void>}
   */
  async seek(screen, at) {
    // The end of a film shows nothing; the middle of its last frame does.
    const last = (screen.frames - 0.5) / screen.rate;
    await show(screen.video, Math.min(at, last));
  }

  /** Write the clock, and which axis it is of. */
  tell() {
    this.one(".clock").textContent = `${timecode(this.axis.frame / this.axis.rate)} frame ${this.axis.frame}`;
    for (const axis of this.axes) {
      axis.element.classList.toggle("led", axis === this.axis && this.axes.length > 1);
      axis.element.classList.toggle("on", axis.ids.some((id) => this.shown.split(",").includes(id)));
    }
  }

  async play() {
    const lead = this.films(this.axis)[0];
    if (!lead) return;
    const { loop, frame, frames } = this.axis;
    const [first, end] = loop ?? [0, frames];
    if (frame < first || frame >= Math.min(end, frames) - 1) await this.go(first);
    this.playing = true;
    this.one('[data-do="play"]').textContent = "Pause";
    for (const screen of this.films(this.axis)) {
      screen.video.playbackRate = this.speed;
      void screen.video.play().catch(() => undefined);
    }
    requestAnimationFrame(() => this.follow());
  }

  async pause() {
    const lead = this.playing ? this.films(this.axis)[0] : undefined;
    this.playing = false;
    this.back = 0;
    this.one('[data-do="play"]').textContent = "Play";
    for (const screen of this.screens) screen.video.pause();
    if (lead) await this.go(Math.floor(lead.video.currentTime * this.axis.rate));
    this.write();
  }

  /** Keep the others with the first one, once a repaint. */
  follow() {
    const [lead, ...others] = this.films(this.axis);
    if (!this.playing || !lead) return;
    const { rate, loop } = this.axis;
    const at = lead.video.currentTime;
    this.axis.set(Math.floor(at * rate));
    this.tell();
    if (at >= (loop ? loop[1] / rate : Infinity) || lead.video.ended) return void (loop ? this.again() : this.pause());
    for (const { video } of others) {
      const late = (at - video.currentTime) * rate;
      if (Math.abs(late) > JUMP_FRAMES && !video.seeking && !video.ended) video.currentTime = at;
      const hurry = Math.abs(late) > SLACK_FRAMES ? Math.max(-0.2, Math.min(0.2, late / 10)) : 0;
      video.playbackRate = this.speed * (1 + hurry);
    }
    requestAnimationFrame(() => this.follow());
  }

  async again() {
    for (const screen of this.screens) screen.video.pause();
    await this.go(this.axis.loop ? this.axis.loop[0] : 0);
    if (this.playing) await this.play();
  }

  /** Go back, and faster each time it is asked again. Browsers play forward only, so frames are shown one by one. */
  async rewind() {
    if (this.back) return void (this.back = Math.min(FASTEST, 2 * this.back));
    await this.pause();
    this.back = 1;
    this.one('[data-do="play"]').textContent = "Pause";
    let last = performance.now();
    while (this.back && this.axis.frame > (this.axis.loop?.[0] ?? 0)) {
      const now = await new Promise(requestAnimationFrame);
      const by = Math.floor(((now - last) / 1000) * this.axis.rate * this.back);
      if (by < 1) continue;
      last = now;
      await this.go(Math.max(this.axis.frame - by, this.axis.loop?.[0] ?? 0));
    }
    if (this.back) await this.pause();
  }

  /** Go on, and faster each time it is asked again. */
  async forward() {
    const faster = this.playing ? Math.min(4, Math.max(1, this.speed) * 2) : Math.max(1, this.speed);
    this.choose("speed", String(faster));
    if (this.playing) for (const { video } of this.films(this.axis)) video.playbackRate = this.speed;
    else {
      if (this.back) await this.pause();
      await this.play();
    }
  }

  get speed() {
    return Number(this.chosen("speed"));
  }

  /**
   * @param {string} name
   * @returns {HTMLSelectElement | null}
   */
  select(name) {
    return this.section.querySelector(`select[data-do="${name}"]`);
  }

  /**
   * @param {string} name
   * @returns {string}
   */
  chosen(name) {
    return this.select(name)?.value ?? "";
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  choose(name, value) {
    const select = this.select(name);
    if (select && [...select.options].some((option) => option.value === value)) select.value = value;
  }

  /** @returns {[Film | undefined, Film | undefined]} The two films that are laid over each other. */
  get pair() {
    const of = (/** @type {string} */ side) => this.on.find(({ video }) => video.id === this.chosen(side));
    return [of("a"), of("b")];
  }

  /** Begin or end the comparison of two films: at first of the first two that are shown. */
  compare() {
    const view = this.chosen("view");
    this.one(".pair").hidden = !view;
    this.one(".stage").classList.toggle("mixing", Boolean(view));
    if (view) {
      const [a, b] = this.pair;
      const [first, second] = this.on;
      if ((!a || !b || a === b) && first && second) {
        this.choose("a", first.video.id);
        this.choose("b", second.video.id);
      }
    }
    this.mix();
  }

  /** Lay two films over each other, where that is wanted. */
  mix() {
    const view = this.chosen("view");
    const [first, second] = this.pair;
    const figure = this.one(".mixed");
    figure.hidden = !view || !first || !second;
    if (figure.hidden || !first || !second) return;
    const canvas = /** @type {HTMLCanvasElement} */ (figure.querySelector("canvas"));
    const edge = /** @type {HTMLInputElement} */ (figure.querySelector(".edge"));
    edge.hidden = view !== "wipe";
    const [width, height] = [first.video.videoWidth, first.video.videoHeight];
    if (!width || !height) return;
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const pen = canvas.getContext("2d");
    if (!pen) return;
    canvas.classList.toggle("gained", view === "difference");
    pen.globalCompositeOperation = "source-over";
    pen.drawImage((view === "flip" && this.flipped ? second : first).video, 0, 0, width, height);
    if (view === "difference") {
      pen.globalCompositeOperation = "difference";
      pen.drawImage(second.video, 0, 0, width, height);
    } else if (view === "wipe") {
      const from = Math.round((width * Number(edge.value)) / 100);
      const [own, scale] = [second.video, second.video.videoWidth / width];
      if (from < width) pen.drawImage(own, from * scale, 0, own.videoWidth - from * scale, own.videoHeight, from, 0, width - from, height);
      // Two pixels of the screen, however small the film is.
      const line = (2 * width) / (canvas.clientWidth || width);
      pen.fillStyle = "#fff";
      pen.fillRect(from - line / 2, 0, line, height);
    }
    const [a, b] = [first, second].map((screen) => screen.video.getAttribute("aria-label"));
    const said = { wipe: `left A: ${a}; right B: ${b}`, difference: `A minus B, four times as bright: ${a}; ${b}`, flip: this.flipped ? `B: ${b}` : `A: ${a}` };
    const caption = /** @type {HTMLElement} */ (figure.querySelector("figcaption"));
    caption.textContent = said[/** @type {"wipe"} */ (view)];
  }

  /** @param {[number, number] | null} frames */
  repeat(frames) {
    const axis = this.axis;
    axis.loop = frames && frames[1] > frames[0] ? [Math.max(0, frames[0]), Math.min(axis.frames, frames[1])] : null;
    axis.tell();
    this.choose("loop", !axis.loop ? "" : axis.loop[0] === 0 && axis.loop[1] === axis.frames ? "whole" : "own");
  }

  /** @param {HTMLSelectElement} select */
  repeatChosen(select) {
    const value = select.value;
    if (value === "own") return;
    const film = select.selectedOptions[0]?.dataset.axis;
    const axis = film ? this.axisOf(film) : this.axis;
    if (axis !== this.axis && this.playing) void this.pause();
    this.axis = axis;
    if (!value) return this.repeat(null);
    if (value === "whole") return this.repeat([0, axis.frames]);
    const [start, end] = value.split(",").map((at) => Math.round(Number(at) * axis.rate));
    this.repeat([start ?? 0, end ?? axis.frames]);
    select.value = value;
    if (!this.playing) void this.go(start ?? 0);
  }

  /** Let the chosen film be heard. */
  hear() {
    const heard = this.chosen("sound");
    for (const { video } of this.screens) video.muted = video.id !== heard;
  }

  /** Show the middle of what is seen, or where the pointer last was, larger. */
  zoom() {
    const by = this.chosen("zoom");
    this.one(".stage").classList.toggle("zoomed", by !== "1");
    for (const each of this.section.querySelectorAll(".picture > *")) {
      if (each instanceof HTMLElement) each.style.transform = by === "1" ? "" : `scale(${by})`;
    }
  }

  async fill() {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await this.one(".stage").requestFullscreen().catch(() => undefined);
  }

  /**
   * @param {string} what
   * @returns {void}
   */
  act(what) {
    const by = { back: -1, on: 1, "back far": -Math.round(this.axis.rate), "on far": Math.round(this.axis.rate) }[what];
    if (by !== undefined) void this.step(by);
    else if (what === "play") void (this.playing || this.back ? this.pause() : this.play());
    else if (what === "rewind") void this.rewind();
    else if (what === "forward") void this.forward();
    else if (what === "in") this.repeat([this.axis.frame, Math.max(this.axis.frame + 1, this.axis.loop?.[1] ?? this.axis.frames)]);
    else if (what === "out") this.repeat([Math.min(this.axis.frame, this.axis.loop?.[0] ?? 0), this.axis.frame + 1]);
    else if (what === "no loop") this.repeat(null);
    else if (what === "full") void this.fill();
    else if (what === "flip" && this.chosen("view") === "flip") {
      this.flipped = !this.flipped;
      this.mix();
    } else if (what === "zoom") {
      this.choose("zoom", { 1: "2", 2: "4" }[this.chosen("zoom")] ?? "1");
      this.zoom();
    } else if (what === "fold") {
      const open = this.one(".transport").classList.toggle("open");
      this.one('[data-do="fold"]').setAttribute("aria-expanded", String(open));
    }
    this.write();
  }

  /**
   * @param {number} by Frames.
   * @param {Axis} axis
   */
  async step(by, axis = this.axis) {
    if (this.playing || this.back) await this.pause();
    await this.go(axis.frame + by, axis);
  }

  /**
   * @param {Axis} axis
   * @param {number} frame
   */
  async to(axis, frame) {
    await this.step(frame - axis.frame, axis);
    this.write();
  }

  /**
   * Show a film, or put it away.
   * @param {string} id Of its player.
   * @param {boolean} on
   */
  async turn(id, on) {
    const screen = this.screens.find((each) => each.video.id === id);
    if (!screen || screen.figure.classList.contains("on") === on) return;
    screen.figure.classList.toggle("on", on);
    const box = this.section.querySelector(`[data-film="${id}"]`);
    if (box instanceof HTMLInputElement) box.checked = on;
    screen.video.preload = "auto";
    if (this.playing) await this.pause();
    const axis = this.axisOf(id);
    if (on) await this.go(axis.frame, axis);
    else if (!this.films(this.axis).length) this.axis = this.axes.find((each) => this.films(each).length) ?? this.axis;
    this.tell();
    this.mix();
  }

  /**
   * Show a second of one film, and what the others of its clock show then.
   * @param {HTMLMediaElement} player
   * @param {number} at Seconds.
   * @returns {Promise<boolean>} Whether the player is there.
   */
  async show(player, at) {
    await this.turn(player.id, true);
    const axis = this.axisOf(player.id);
    // Places are written a hair late and never early.
    await this.step(Math.floor(at * axis.rate + 0.001) - axis.frame, axis);
    if (!document.getElementById(location.hash.slice(1))) this.write();
    return !player.error && player.readyState >= HTMLMediaElement.HAVE_METADATA;
  }

  /** Write what is seen into the address, when the reader has come to rest. */
  write() {
    clearTimeout(this.pending);
    this.pending = window.setTimeout(() => history.replaceState(null, "", `#${this.state()}`), ADDRESS_MS);
  }

  /** @returns {URLSearchParams} */
  state() {
    const { axis } = this;
    const seconds = (/** @type {number} */ frame) => String(Number((frame / axis.rate).toFixed(3)));
    const state = new URLSearchParams({ t: seconds(axis.frame) });
    if (axis !== this.axes[0]) state.set("film", axis.ids[0] ?? "");
    if (axis.loop) state.set("loop", axis.loop.map(seconds).join("-"));
    if (this.shown !== this.first) state.set("on", this.shown);
    if (this.chosen("view")) {
      for (const name of ["view", "a", "b"]) state.set(name, this.chosen(name));
      if (this.chosen("view") === "wipe") state.set("edge", this.edge.value);
    }
    if (this.chosen("zoom") !== "1") state.set("zoom", this.chosen("zoom"));
    return state;
  }

  get edge() {
    return /** @type {HTMLInputElement} */ (this.one(".edge"));
  }

  /** Show what the address says; the beginning when it says nothing. */
  async restore() {
    const state = new URLSearchParams(location.hash.slice(1));
    if (!state.has("t")) {
      // A finding that the address names is shown by report.js, after this.
      for (const axis of [...this.axes].reverse()) if (!axis.frame) void this.go(0, axis);
      return;
    }
    const on = state.get("on")?.split(",");
    if (on) for (const { video } of this.screens) await this.turn(video.id, on.includes(video.id));
    for (const name of ["a", "b", "film"]) await this.turn(state.get(name) ?? "", true);
    for (const name of ["view", "a", "b"]) this.choose(name, state.get(name) ?? "");
    this.choose("zoom", state.get("zoom") ?? "1");
    const edge = Number(state.get("edge") ?? 50);
    if (edge >= 0 && edge <= 100) this.edge.value = String(edge);
    this.axis = this.axisOf(state.get("film") ?? this.axes[0]?.ids[0] ?? "");
    // Milliseconds are rounded; a twentieth of a frame is more than that.
    const frame = (/** @type {string | null | undefined} */ at) => Math.floor(Number(at) * this.axis.rate + 0.05) || 0;
    const [first, end] = state.get("loop")?.split("-") ?? [];
    this.repeat(end ? [frame(first), frame(end)] : null);
    await this.go(frame(state.get("t")));
    if (this.select("view")) this.compare();
    this.zoom();
  }

  listen() {
    this.section.addEventListener("click", (event) => this.click(event));
    this.section.addEventListener("input", (event) => this.input(event));
    for (const axis of this.axes) {
      axis.element.addEventListener("pointerdown", (event) => this.grab(event, axis));
    }
    const canvas = this.section.querySelector(".mixed canvas");
    if (canvas instanceof HTMLCanvasElement) {
      for (const name of /** @type {const} */ (["pointerdown", "pointermove"])) {
        canvas.addEventListener(name, (event) => this.wipe(event, canvas));
      }
    }
    this.one(".stage").addEventListener("pointermove", (event) => this.pan(event));
    document.addEventListener("keydown", (event) => this.press(event));
    document.addEventListener("fullscreenchange", () => {
      // The controls go where the reader is.
      const [stage, transport] = [this.one(".stage"), this.one(".transport")];
      if (document.fullscreenElement === stage) stage.append(transport);
      else stage.after(transport);
    });
    window.addEventListener("hashchange", () => void this.restore());
  }

  /** @param {MouseEvent} event */
  click(event) {
    if (!(event.target instanceof Element)) return;
    const button = event.target.closest("button[data-do]");
    if (button instanceof HTMLElement) return this.act(button.dataset.do ?? "");
    if (event.target.matches(".screen video")) return this.act("play");
    if (event.target.matches(".mixed canvas")) return this.act("flip");
    const mark = event.target.closest("rect[data-start]");
    const axis = this.axes.find((each) => mark && each.element.contains(mark));
    if (!axis || !(mark instanceof SVGElement)) return;
    const frame = Math.round(Number(mark.dataset.start) * axis.rate);
    const linked = mark.closest("a");
    const go = async () => {
      if (mark.dataset.shows) await this.turn(mark.dataset.shows, true);
      // A mark that leads to a finding has an address of its own.
      await (linked ? this.step(frame - axis.frame, axis) : this.to(axis, frame));
    };
    void go();
  }

  /**
   * A press on a strip, a wave or an empty place of a lane leads there, and on along with the pointer.
   * @param {PointerEvent} event
   * @param {Axis} axis
   */
  grab(event, axis) {
    const lane = event.target instanceof Element ? event.target.closest(".lane > svg") : null;
    if (!lane || event.button || (event.target instanceof Element && event.target.closest("rect"))) return;
    event.preventDefault();
    lane.setPointerCapture(event.pointerId);
    const go = (/** @type {Event} */ moved) => {
      if (moved instanceof PointerEvent) void this.to(axis, Math.floor(across(moved, lane) * axis.frames));
    };
    go(event);
    lane.addEventListener("pointermove", go);
    lane.addEventListener("lostpointercapture", () => lane.removeEventListener("pointermove", go), { once: true });
  }

  /**
   * @param {PointerEvent} event
   * @param {HTMLCanvasElement} canvas
   */
  wipe(event, canvas) {
    if (this.chosen("view") !== "wipe" || !(event.buttons & 1)) return;
    if (event.type === "pointerdown") canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
    this.edge.value = String(100 * across(event, canvas));
    this.mix();
    this.write();
  }

  /**
   * Of a picture that is shown larger, the pointer chooses the part, in all films alike.
   * @param {PointerEvent} event
   */
  pan(event) {
    const box = event.target instanceof Element ? event.target.closest(".picture")?.getBoundingClientRect() : null;
    if (!box || this.chosen("zoom") === "1" || (this.chosen("view") === "wipe" && event.buttons & 1)) return;
    const origin = `${(100 * (event.clientX - box.left)) / box.width}% ${(100 * (event.clientY - box.top)) / box.height}%`;
    for (const each of this.section.querySelectorAll(".picture > *")) {
      if (each instanceof HTMLElement) each.style.transformOrigin = origin;
    }
  }

  /** @param {Event} event */
  input(event) {
    const field = event.target;
    if (field instanceof HTMLInputElement) {
      const axis = this.axes.find((each) => each.scrub === field);
      if (axis) return void this.to(axis, Number(field.value));
      if (field === this.edge) this.mix();
      else if (field.dataset.film) void this.turn(field.dataset.film, field.checked);
    } else if (field instanceof HTMLSelectElement) {
      const what = field.dataset.do;
      if (what === "loop") this.repeatChosen(field);
      else if (what === "view") this.compare();
      else if (what === "a" || what === "b") void this.turn(field.value, true).then(() => this.mix());
      else if (what === "sound") void this.turn(field.value, true).then(() => this.hear());
      else if (what === "zoom") this.zoom();
      // Keys are for the player again; a browser would take them as letters of another choice.
      if (!field.matches(":focus-visible")) field.blur();
    }
    this.write();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const on = event.target instanceof Element ? event.target : null;
    if (on?.closest("input:not([type=range]):not([type=checkbox]), textarea, select, audio, video[controls]")) return;
    // What has a meaning of its own where the reader is, keeps it.
    if (event.key === " " && on?.closest("a, button, summary, input")) return;
    if (event.key.startsWith("Arrow") && on?.closest('[tabindex="0"], .edge')) return;
    const far = event.shiftKey ? " far" : "";
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    /** @type {Record<string, string>} */
    const acts = {
      " ": "play", k: "play", j: "rewind", l: "forward", i: "in", o: "out", x: "no loop", f: "full", z: "zoom", b: "flip",
      ArrowLeft: `back${far}`, ArrowRight: `on${far}`, ",": "back", ".": "on", "<": "back far", ">": "on far", ";": "back far", ":": "on far",
    };
    const act = acts[key];
    if (!act) return;
    event.preventDefault();
    this.act(act);
  }
}

for (const section of document.querySelectorAll(".review")) new Review(/** @type {HTMLElement} */ (section));
