// Steps through the event orders of a page. Everything it shows stands in the page already: the
// events in words and pictures, and in #steps the values of variables. Texts are set as texts only.
"use strict";
(() => {
  const all = JSON.parse(document.getElementById("steps").textContent);
  const said = document.getElementById("said");
  const runs = new Map();
  let open = null;
  let opener = null;

  const make = (name, kind, text) => {
    const element = document.createElement(name);
    if (kind) element.className = kind;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // ---- the state after each event -----------------------------------------------------------

  // Return the values of all variables after a number of events.
  const valuesAfter = (steps, number) => {
    const values = steps.variables.map((variable) => variable.value);
    for (const changes of steps.changes.slice(0, number)) {
      for (const place of Object.keys(changes)) values[place] = changes[place];
    }
    return values;
  };

  const row = (variable) => {
    const line = make("tr");
    const head = make("th");
    head.scope = "row";
    head.append(make("span", "lane", variable.lane && variable.name ? `${variable.lane}.` : variable.lane), variable.name);
    if (variable.ghost) head.append(make("span", "tag", "ghost"));
    if (variable.read) head.append(make("span", "tag", "read by the property"));
    const cell = make("td");
    const was = make("span", "was");
    const value = make("span", "value");
    cell.append(was, value);
    line.append(head, cell);
    return { line, was, value };
  };

  const table = (rows, label) => {
    const element = make("table");
    element.setAttribute("aria-label", label);
    const body = make("tbody");
    body.append(...rows.map((each) => each.line));
    element.append(body);
    return element;
  };

  const buildState = (run) => {
    const box = run.section.querySelector(".state");
    run.rows = run.steps.variables.map(row);
    const chosen = (plain) => run.rows.filter((_, place) => run.steps.variables[place].plain === plain);
    run.stateHead = box.firstElementChild;
    if (chosen(true).length) box.append(table(chosen(true), "Variables that change or that the property reads"));
    if (chosen(false).length) {
      const rest = make("details");
      const many = chosen(false).length;
      rest.append(make("summary", "", `${many} more variable${many === 1 ? "" : "s"}`), table(chosen(false), "Other variables"));
      box.append(rest);
    }
    box.hidden = !run.rows.length;
  };

  const showState = (run, number) => {
    const before = valuesAfter(run.steps, Math.max(number - 1, 0));
    const after = valuesAfter(run.steps, number);
    run.rows.forEach((each, place) => {
      const changed = number > 0 && Object.hasOwn(run.steps.changes[number - 1], place) && before[place] !== after[place];
      each.line.classList.toggle("changed", changed);
      each.was.textContent = changed ? `${before[place]} → ` : "";
      each.value.textContent = after[place];
    });
    run.stateHead.textContent = number ? `State after event ${number}` : "State at the start";
  };

  // Some browsers refuse to set an address many times in a row; the page works without.
  const address = (text) => {
    try { history.replaceState(null, "", text); } catch { /* the address stays as it was */ }
  };

  // ---- one step -----------------------------------------------------------------------------

  const follow = (run, number) => {
    const figure = run.section.querySelector(".picture");
    const event = figure && figure.querySelector(`g.event[data-event="${number || 1}"]`);
    if (!event) return;
    const place = event.getBoundingClientRect();
    const frame = figure.getBoundingClientRect();
    const top = figure.scrollTop + place.top - frame.top - (frame.height - place.height) / 2;
    const left = figure.scrollLeft + place.left - frame.left - (frame.width - place.width) / 2;
    figure.scrollTo({ top: number ? top : 0, left: Math.max(left, 0) });
  };

  const step = (run, wanted, tell = true) => {
    const number = Math.min(Math.max(wanted, 0), run.last);
    run.number = number;
    run.section.dataset.step = number;
    for (const part of run.parts) {
      const at = Number(part.dataset.event);
      part.classList.toggle("later", at > number);
      part.classList.toggle("now", at === number);
      part.classList.toggle("flying", at <= number && Number(part.dataset.lands) > number);
      if (part.tagName === "LI") {
        if (at === number) part.setAttribute("aria-current", "step");
        else part.removeAttribute("aria-current");
      }
    }
    const item = run.section.querySelector(`.words li[data-event="${number}"] .event-words`);
    const words = item ? item.textContent : "The initial state";
    run.count.textContent = `${number} of ${run.last}`;
    run.now.textContent = words;
    run.section.querySelectorAll(".first, .prev").forEach((button) => { button.disabled = number === 0; });
    run.section.querySelectorAll(".next, .last").forEach((button) => { button.disabled = number === run.last; });
    showState(run, number);
    follow(run, number);
    if (tell) {
      const changed = run.rows.filter((each) => each.line.classList.contains("changed")).map((each) => each.line.textContent);
      said.textContent = `Event ${number} of ${run.last}: ${words}. ${changed.join("; ")}`;
      address(`#${run.id}@${number}`);
    }
  };

  // ---- opening and closing ------------------------------------------------------------------

  const mark = (id, on) => {
    document.querySelectorAll(`a[href="#${id}"]`).forEach((link) => {
      if (on) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };

  const hide = () => {
    if (!open) return;
    open.section.classList.remove("open");
    open.section.closest(".runs")?.classList.remove("open");
    mark(open.id, false);
    open = null;
  };

  const show = (run, number) => {
    hide();
    open = run;
    if (!run.rows) buildState(run);
    run.section.classList.add("open");
    run.section.closest(".runs")?.classList.add("open");
    mark(run.id, true);
    step(run, number ?? run.last, false);
  };

  const close = () => {
    const link = opener || document.querySelector(`a[aria-current="true"]`);
    if (!open || !open.section.closest(".runs")) return;
    hide();
    address(location.pathname + location.search);
    if (link) {
      link.focus({ preventScroll: true });
      link.scrollIntoView({ block: "center" });
    }
  };

  // An address names a run, and after an @ the event up to which it is shown.
  const fromAddress = () => {
    let place = "";
    try { place = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const at = place.lastIndexOf("@");
    const run = runs.get(place) || runs.get(place.slice(0, Math.max(at, 0)));
    if (!run) {
      const inside = document.getElementById(place);
      if (inside && open && open.section.closest(".runs")) inside.scrollIntoView();
      return;
    }
    show(run, at > 0 && !runs.has(place) ? Number(place.slice(at + 1)) || 0 : undefined);
    run.section.focus({ preventScroll: true });
    run.section.scrollIntoView();
    follow(run, run.number);
  };

  const beside = (run, way) => {
    const ids = [...runs.keys()];
    const next = runs.get(ids[(ids.indexOf(run.id) + way + ids.length) % ids.length]);
    location.hash = next.id;
  };

  // ---- setting up ---------------------------------------------------------------------------

  const prepare = (section) => {
    const run = { id: section.id, section, steps: all[section.id] };
    run.parts = [...section.querySelectorAll("[data-event]")];
    run.last = run.steps.changes.length;
    run.count = section.querySelector(".count");
    run.now = section.querySelector(".at");
    runs.set(run.id, run);
    section.querySelector(".stepper").hidden = false;
    section.querySelector(".words").open = false;
    section.querySelector(".ways").hidden = !section.closest(".runs");
    const on = (name, action) => section.querySelector(name).addEventListener("click", action);
    on(".first", () => step(run, 0));
    on(".prev", () => step(run, run.number - 1));
    on(".next", () => step(run, run.number + 1));
    on(".last", () => step(run, run.last));
    on(".former", () => beside(run, -1));
    on(".latter", () => beside(run, 1));
    on(".back", (click) => { click.preventDefault(); close(); });
    for (const part of section.querySelectorAll("g.event, .words li[data-event]")) {
      if (part.tagName === "LI") part.removeAttribute("id"); // addresses of events are ours now
      part.addEventListener("click", () => step(run, Number(part.dataset.event)));
    }
  };

  const KEYS = {
    ArrowLeft: (run) => step(run, run.number - 1),
    ArrowRight: (run) => step(run, run.number + 1),
    Home: (run) => step(run, 0),
    End: (run) => step(run, run.last),
    Escape: () => close(),
  };

  document.addEventListener("keydown", (press) => {
    if (!open || press.altKey || press.ctrlKey || press.metaKey || press.shiftKey) return;
    const action = KEYS[press.key];
    const inTable = press.target instanceof Element && press.target.closest(".scroll:not(.picture)");
    if (!action || (inTable && press.key !== "Escape")) return;
    press.preventDefault();
    action(open);
  });

  document.addEventListener("click", (click) => {
    const link = click.target instanceof Element && click.target.closest('a[href^="#"]');
    if (!link || link.classList.contains("back")) return;
    if (runs.has(link.getAttribute("href").slice(1))) opener = link;
    if (link.hash === location.hash) fromAddress();
  });

  const buildSections = () => {
    const nav = document.querySelector(".bar nav");
    if (document.querySelectorAll("article").length !== 1) return;
    for (const section of document.querySelectorAll("[data-section]")) {
      const link = make("a", "", section.dataset.section);
      link.href = `#${section.id}`;
      nav.append(link);
    }
    nav.hidden = !nav.children.length;
  };

  document.documentElement.classList.add("js");
  document.querySelectorAll(".run").forEach(prepare);
  document.querySelectorAll(".design").forEach((design) => { design.open = false; });
  // Runs open right below the table whose cells lead to them; on paper they follow all else.
  const placed = [...document.querySelectorAll("article > .runs")].map((section) => ({
    section, article: section.parentElement, opened: section.parentElement.querySelector(".opened"),
  }));
  placed.forEach(({ section, opened }) => opened.append(section));
  buildSections();
  window.addEventListener("hashchange", fromAddress);
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((each) => { each.open = true; });
    placed.forEach(({ section, article }) => article.append(section));
  });
  window.addEventListener("afterprint", () => {
    folded.forEach((each) => { each.open = false; });
    placed.forEach(({ section, opened }) => opened.append(section));
  });
  const alone = [...runs.values()].filter((run) => !run.section.closest(".runs"));
  if (alone.length) show(alone[0]);
  fromAddress();
})();
