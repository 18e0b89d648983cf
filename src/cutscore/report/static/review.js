// @ts-check
"use strict";

/*
 * Several films in step. The clock of the page counts frames of the first film that is shown; every other film shows
 * what it shows at the middle of that frame, so that no rounding of a container can land on a neighbour. While they
 * play, the first one leads and the others follow it: a little late or early is made up by speed, more by a jump. Each
 * film says which of its own frames the browser really painted.
 */

/** Half of a frame may be rounding; from there on the others are led back. */
const SLACK_FRAMES = 0.5;
/** What speed cannot make up within a second. */
const JUMP_FRAMES = 4;

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

/** One review: its films, its clock and its controls. */
class Review {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.rate = Number(section.dataset.rate);
    this.frames = Number(section.dataset.frames);
    this.frame = 0;
    this.playing = false;
    /** @type {[number, number] | null} */
    this.loop = null;
    /** @type {Film[]} */
    this.screens = [...section.querySelectorAll(".screen")].map((figure) => this.screen(/** @type {HTMLElement} */ (figure)));
    this.listen();
    section.classList.add("steered");
    for (const part of section.querySelectorAll(".picker, .controls, .scrub, .keys")) part.toggleAttribute("hidden", false);
    for (const { video } of this.screens) video.controls = false;
    steered.set(section, this);
    void this.go(0);
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
    const frame = Math.min(Math.round(at * screen.rate), screen.frames - 1);
    screen.figure.dataset.shown = String(frame);
    if (screen.said) screen.said.textContent = `frame ${frame}`;
    this.mix();
  }

  /** @returns {Film[]} */
  get on() {
    return this.screens.filter((screen) => screen.figure.classList.contains("on") && !screen.video.error);
  }

  /**
   * Show one frame of every film, paused, and wait until all have it.
   * @param {number} frame
   * @returns {Promise<void>}
   */
  async go(frame) {
    this.frame = Math.max(0, Math.min(this.frames - 1, Math.round(frame)));
    this.tell();
    const at = (this.frame + 0.5) / this.rate;
    await Promise.all(this.on.map((screen) => this.seek(screen, at)));
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

  /** Write the clock, the slider and the line across the lanes. */
  tell() {
    const at = this.frame / this.rate;
    this.one(".clock").textContent = `${timecode(at)} frame ${this.frame}`;
    const scrub = /** @type {HTMLInputElement} */ (this.one(".scrub"));
    scrub.value = String(this.frame);
    scrub.setAttribute("aria-valuetext", timecode(at));
    const line = this.section.querySelector(".cursor line");
    const across = `${(100 * this.frame) / this.frames}%`;
    line?.setAttribute("x1", across);
    line?.setAttribute("x2", across);
  }

  async play() {
    const lead = this.on[0];
    if (!lead) return;
    const [first, end] = this.loop ?? [0, this.frames];
    if (this.frame < first || this.frame >= Math.min(end, this.frames) - 1) await this.go(first);
    this.playing = true;
    this.one('[data-do="play"]').textContent = "Pause";
    for (const screen of this.on) {
      screen.video.playbackRate = this.speed;
      void screen.video.play().catch(() => undefined);
    }
    requestAnimationFrame(() => this.follow());
  }

  async pause() {
    this.playing = false;
    this.one('[data-do="play"]').textContent = "Play";
    for (const screen of this.screens) screen.video.pause();
    const lead = this.on[0];
    if (lead) await this.go(Math.floor(lead.video.currentTime * this.rate));
  }

  /** Keep the others with the first one, once a repaint. */
  follow() {
    const [lead, ...others] = this.on;
    if (!this.playing || !lead) return;
    const at = lead.video.currentTime;
    this.frame = Math.min(Math.floor(at * this.rate), this.frames - 1);
    this.tell();
    const end = this.loop ? this.loop[1] / this.rate : Infinity;
    if (at >= end || lead.video.ended) return void (this.loop ? this.again() : this.pause());
    for (const { video } of others) {
      const late = (at - video.currentTime) * this.rate;
      if (Math.abs(late) > JUMP_FRAMES && !video.seeking && !video.ended) video.currentTime = at;
      const hurry = Math.abs(late) > SLACK_FRAMES ? Math.max(-0.2, Math.min(0.2, late / 10)) : 0;
      video.playbackRate = this.speed * (1 + hurry);
    }
    requestAnimationFrame(() => this.follow());
  }

  async again() {
    for (const screen of this.screens) screen.video.pause();
    await this.go(this.loop ? this.loop[0] : 0);
    if (this.playing) await this.play();
  }

  get speed() {
    return Number(this.chosen("speed"));
  }

  /**
   * @param {string} name
   * @returns {string}
   */
  chosen(name) {
    const select = this.section.querySelector(`select[data-do="${name}"]`);
    return select instanceof HTMLSelectElement ? select.value : "";
  }

  /** Lay the first two films over each other, where that is wanted. */
  mix() {
    const [first, second] = this.on;
    const view = this.chosen("view");
    const figure = this.one(".mixed");
    figure.hidden = !view || !second;
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
    pen.drawImage(first.video, 0, 0, width, height);
    if (view === "difference") {
      pen.globalCompositeOperation = "difference";
      pen.drawImage(second.video, 0, 0, width, height);
    } else {
      const from = Math.round((width * Number(edge.value)) / 100);
      const [own, scale] = [second.video, second.video.videoWidth / width];
      if (from < width) pen.drawImage(own, from * scale, 0, own.videoWidth - from * scale, own.videoHeight, from, 0, width - from, height);
      pen.fillRect(from - 0.5, 0, 1, height);
    }
    const names = [first, second].map((screen) => screen.video.getAttribute("aria-label"));
    const caption = /** @type {HTMLElement} */ (figure.querySelector("figcaption"));
    caption.textContent = view === "difference" ? `${names[0]} minus ${names[1]}, four times as bright` : `left ${names[0]}, right ${names[1]}`;
  }

  /** @param {[number, number] | null} frames */
  repeat(frames) {
    this.loop = frames && frames[1] > frames[0] ? frames : null;
  }

  /** @param {string} value */
  repeatChosen(value) {
    if (!value) return this.repeat(null);
    if (value === "whole") return this.repeat([0, this.frames]);
    const [start, end] = value.split(",").map((at) => Math.round(Number(at) * this.rate));
    this.repeat([start ?? 0, end ?? this.frames]);
    if (!this.playing) void this.go(start ?? 0);
  }

  /** Let one film be heard: the first, if the reader wants to hear anything. */
  hear() {
    const sound = /** @type {HTMLInputElement} */ (this.one('[data-do="sound"]'));
    const lead = this.on[0];
    for (const screen of this.screens) screen.video.muted = !(sound.checked && screen === lead);
  }

  /**
   * @param {string} what
   * @returns {void}
   */
  act(what) {
    if (what === "play") return void (this.playing ? this.pause() : this.play());
    const by = { back: -1, on: 1, "back far": -Math.round(this.rate), "on far": Math.round(this.rate) }[what];
    if (by !== undefined) void this.step(by);
  }

  /** @param {number} by Frames. */
  async step(by) {
    if (this.playing) await this.pause();
    await this.go(this.frame + by);
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
    this.hear();
    await this.go(this.frame);
    this.mix();
  }

  /**
   * Show a second of one film, and what the others show then.
   * @param {HTMLMediaElement} player
   * @param {number} at Seconds.
   * @returns {Promise<boolean>} Whether the player is there.
   */
  async show(player, at) {
    await this.turn(player.id, true);
    // Places are written a hair late and never early.
    await this.step(Math.floor(at * this.rate + 0.001) - this.frame);
    return !player.error && player.readyState >= HTMLMediaElement.HAVE_METADATA;
  }

  listen() {
    this.section.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest("button[data-do]") : null;
      if (button instanceof HTMLElement) this.act(button.dataset.do ?? "");
      const mark = event.target instanceof Element ? event.target.closest("rect[data-start]") : null;
      if (mark instanceof SVGElement) void this.step(Math.round(Number(mark.dataset.start) * this.rate) - this.frame);
    });
    this.section.addEventListener("input", (event) => {
      const field = event.target;
      if (field instanceof HTMLInputElement && field.classList.contains("scrub")) void this.step(Number(field.value) - this.frame);
      else if (field instanceof HTMLInputElement && field.classList.contains("edge")) this.mix();
      else if (field instanceof HTMLInputElement && field.dataset.film) void this.turn(field.dataset.film, field.checked);
      else if (field instanceof HTMLInputElement && field.dataset.do === "sound") this.hear();
      else if (field instanceof HTMLSelectElement && field.dataset.do === "loop") this.repeatChosen(field.value);
      else if (field instanceof HTMLSelectElement && field.dataset.do === "view") this.mix();
    });
    document.addEventListener("keydown", (event) => this.press(event));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const typing = event.target instanceof Element && event.target.closest("input:not([type=range]):not([type=checkbox]), textarea, select");
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || typing) return;
    const act = { k: "play", ",": "back", ".": "on", "<": "back far", ">": "on far", ";": "back far", ":": "on far" }[event.key];
    if (act) this.act(act);
    else if (event.key === "i") this.repeat([this.frame, Math.max(this.frame + 1, this.loop?.[1] ?? this.frames)]);
    else if (event.key === "o") this.repeat([Math.min(this.frame, this.loop?.[0] ?? 0), this.frame + 1]);
    else if (event.key === "l") this.repeat(null);
    else return;
    event.preventDefault();
  }
}

for (const section of document.querySelectorAll(".review")) new Review(/** @type {HTMLElement} */ (section));
