// The table of every question. Only the rows in view are in the page; each row is as high.

const ROW = 52;
const AHEAD = 12;

const table = { rows: [], first: -1, last: -1, whole: false };

function columns() {
  const all = page.metrics.map((_, at) => at);
  const metrics = asked.metric >= 0 ? [asked.metric] : all.filter((at) => !page.metrics[at].group);
  const cut = asked.metric < 0 && all.some((at) => page.metrics[at].group);
  return [
    { title: "Question", sort: "id", kind: "question" },
    { title: "Direction", sort: "worst", kind: "way" },
    { title: "Causes", sort: "cause", kind: "why" },
    ...(cut ? [{ title: "Ranking", sort: "cut", kind: "cut" }] : []),
    ...metrics.map((metric) => ({ title: page.metrics[metric].label, sort: metric, kind: "num", metric })),
  ];
}

// Filter, sort and draw again; the scroller begins at its top.
function refresh() {
  table.rows = chosen();
  const parts = { head: document.querySelector("#table thead"), scroller: document.getElementById("scroller") };
  parts.head.replaceChildren(headRow());
  document.getElementById("table").setAttribute("aria-rowcount", String(table.rows.length + 1));
  const all = page.ids.length;
  document.getElementById("found").textContent = `${count(table.rows.length)} of ${count(all)} question${all === 1 ? "" : "s"}`;
  parts.scroller.scrollTop = 0;
  table.first = -1;
  drawRows();
}

function headRow() {
  const cells = columns().map((column) => {
    const active = asked.sort === column.sort;
    const button = el("button", { type: "button" }, column.title, active ? (asked.up ? " ↑" : " ↓") : "");
    button.addEventListener("click", () => {
      asked.up = active ? !asked.up : true;
      asked.sort = column.sort;
      refresh();
      document.querySelectorAll("#table thead button")[columns().findIndex((one) => one.sort === column.sort)].focus();
    });
    const sort = active && (asked.up ? "ascending" : "descending");
    return el("th", { scope: "col", class: column.kind, "aria-sort": sort }, button);
  });
  return el("tr", { "aria-rowindex": 1 }, cells);
}

// Draw the rows in view and some around them, between two spaces as high as the others.
function drawRows() {
  const scroller = document.getElementById("scroller");
  const total = table.rows.length;
  const seen = Math.ceil(scroller.clientHeight / ROW) || 12;
  const top = Math.floor(scroller.scrollTop / ROW);
  const first = table.whole ? 0 : Math.max(0, Math.min(top - AHEAD, total - seen));
  const last = Math.min(total, table.whole ? Math.min(total, 200) : top + seen + AHEAD);
  if (first === table.first && last === table.last) return;
  Object.assign(table, { first, last });
  const focused = document.activeElement?.closest?.("#table tbody button")?.dataset.question;
  const rows = table.rows.slice(first, last).map((question, at) => rowOf(question, first + at + 2));
  const body = document.querySelector("#table tbody");
  body.replaceChildren(space(first), ...rows, space(table.whole ? 0 : total - last));
  if (focused !== undefined) body.querySelector(`button[data-question="${focused}"]`)?.focus({ preventScroll: true });
}

function space(rows) {
  const cell = el("td", { colspan: columns().length });
  cell.style.height = `${rows * ROW}px`;
  return el("tr", { class: "space", "aria-hidden": "true" }, cell);
}

function rowOf(question, index) {
  const way = wayOf(question);
  const cells = columns().map((column) => {
    if (column.kind === "question") return questionCell(question);
    if (column.kind === "way") return wayCell(way);
    if (column.kind === "why") return whyCell(question);
    if (column.kind === "cut") return cutCell(question);
    return valueCell(question, column.metric);
  });
  return el("tr", { class: "row", "aria-rowindex": index }, cells);
}

function wayCell(way) {
  const signs = way === "mixed" ? ["worse", "better"] : [way];
  return el("td", { class: `way ${way}` }, signs.map(icon), way === "mixed" ? "mixed" : PAIRED[way]);
}

function questionCell(question) {
  const button = el("button", { type: "button", class: "plain id", "data-question": question }, page.ids[question]);
  button.addEventListener("click", () => openCase(question, asked.candidate));
  return el("td", { class: "question" }, button, el("span", { dir: "auto", title: page.texts[question] }, page.texts[question]));
}

function whyCell(question) {
  const bits = page.candidates[asked.candidate].causes[question];
  const told = page.causes.filter((_, at) => (bits >> at) & 1).join(", ");
  return el("td", { class: "why", title: told || false }, told);
}

// How many metrics of the ranking fell and rose at cutoffs; which ones is its title.
function cutCell(question) {
  const told = ["worse", "better"].map((way) => [way, movedAt(question, way)]).filter(([, names]) => names.length);
  const signs = told.map(([way, names]) => el("span", { class: way }, icon(way), ` ${count(names.length)}`, unseen(` ${way}: ${names.join(", ")} `)));
  const title = told.map(([way, names]) => `${way}: ${names.join(", ")}`).join("; ");
  return el("td", { class: "cut", title: title || false }, signs);
}

function movedAt(question, way) {
  const metrics = page.candidates[asked.candidate].metrics;
  return page.metrics.filter((metric, at) => metric.group && !metric.neutral && WAY[metrics[at].w[question]] === way).map((metric) => metric.label);
}

function valueCell(question, metric) {
  const values = page.candidates[asked.candidate].metrics[metric];
  const [before, after] = [values.b[question], values.a[question]];
  const way = WAY[values.w[question]];
  const reasons = [values.br[question], values.ar[question]].map((code) => (code ? page.reasons[code - 1] : null));
  const why = reasons[0] === reasons[1] ? reasons[0] : reasons.map((one, at) => one && `${at ? "after" : "before"}: ${one}`).filter(Boolean).join("; ");
  const words = [valueWord(metric, before), valueWord(metric, after)];
  const fine = before !== after && words[0] === words[1]; // a change too small for two decimals
  const shown = before === after ? words[0] : (fine ? [before.toFixed(4), after.toFixed(4)] : words).join(" → ");
  const moved = !page.metrics[metric].neutral && (way === "worse" || way === "better");
  return el("td", { class: `num ${moved ? way : "dim"}`, title: why || false }, moved && icon(way), moved && unseen(`${way}: `), shown, why && unseen(` (${why})`));
}

function valueWord(metric, value) {
  if (value === null) return "n/a";
  if (page.metrics[metric].yesno && (value === 0 || value === 1)) return value ? "yes" : "no";
  return value.toFixed(2);
}

// Arrow keys, Home and End move between questions, also to those that are not in the page yet.
function moveFocus(event) {
  const button = event.target.closest?.("#table tbody button");
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
  if (!button || (!step && event.key !== "Home" && event.key !== "End")) return;
  event.preventDefault();
  const at = table.rows.indexOf(Number(button.dataset.question));
  const last = table.rows.length - 1;
  const next = event.key === "Home" ? 0 : event.key === "End" ? last : Math.max(0, Math.min(last, at + step));
  const scroller = document.getElementById("scroller");
  const room = scroller.clientHeight - 2 * ROW;
  if (next * ROW < scroller.scrollTop) scroller.scrollTop = next * ROW;
  if (next * ROW > scroller.scrollTop + room) scroller.scrollTop = next * ROW - room;
  drawRows();
  document.querySelector(`#table tbody button[data-question="${table.rows[next]}"]`)?.focus({ preventScroll: true });
}
