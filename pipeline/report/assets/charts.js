// Draws each metric's changes as bars from the worst question to the best, with Observable Plot.

const BARS = 240;
const FEWEST = 8; // places on the axis, so that a single question is no wall
const WAY = ["worse", "better", "same", "unpaired"];

// How far a metric moved for a question, up is better; null where there is no pair.
function gain(candidate, metric, question) {
  const values = page.candidates[candidate].metrics[metric];
  if (values.w[question] === 3) return null;
  const moved = values.a[question] - values.b[question];
  return page.metrics[metric].lower ? -moved : moved;
}

// Runs of questions with the same gain, worst first: [{from, to, gain, questions}].
function runs(candidate, metric) {
  const pairs = [];
  for (let question = 0; question < page.ids.length; question += 1) {
    const moved = gain(candidate, metric, question);
    if (moved !== null) pairs.push([moved, question]);
  }
  pairs.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const single = pairs.length <= BARS;
  const bars = [];
  pairs.forEach(([moved, question], at) => {
    const last = bars.at(-1);
    if (!single && last && Math.abs(last.gain - moved) < 1e-9) {
      last.to = at + 1;
      last.questions.push(question);
    } else bars.push({ from: at, to: at + 1, gain: moved, questions: [question] });
  });
  return { bars: thinned(bars), pairs: pairs.length };
}

// Neighbouring bars joined until there are few enough to draw; a joined bar has their mean.
function thinned(bars) {
  if (bars.length <= 2 * BARS) return bars;
  const step = Math.ceil(bars.length / BARS);
  const joined = [];
  for (let at = 0; at < bars.length; at += step) {
    const part = bars.slice(at, at + step);
    const questions = part.flatMap((bar) => bar.questions);
    const sum = part.reduce((total, bar) => total + bar.gain * bar.questions.length, 0);
    joined.push({ from: part[0].from, to: part.at(-1).to, gain: sum / questions.length, questions });
  }
  return joined;
}

// One figure for each metric with a pair, those at cutoffs under a head of their own; `open` is called with a question, `pick` with a metric.
function drawCharts(target, candidate, open, pick) {
  const some = (wanted) => {
    const figures = page.metrics.map((metric, at) => (wanted(metric) ? figureOf(candidate, at, open, pick) : null)).filter(Boolean);
    const still = figures.filter((figure) => typeof figure === "string");
    const unmoved = still.length > 0 && el("p", { class: "unmoved" }, `The same in every pair: ${still.join(", ")}.`);
    return [...figures.filter((figure) => typeof figure !== "string"), ...(unmoved ? [unmoved] : [])];
  };
  const cut = some((metric) => metric.group && !metric.neutral);
  const more = cut.length > 0 && el("details", { class: "more" }, el("summary", null, "Rankings at cutoffs"), el("div", { class: "charts" }, cut));
  target.replaceChildren(...some((metric) => !metric.group), ...(more ? [more] : []));
}

// A metric's figure; only its name where no question moved, null where there is no pair.
function figureOf(candidate, metric, open, pick) {
  const { bars, pairs } = runs(candidate, metric);
  if (!pairs) return null;
  const ways = [0, 0, 0];
  page.candidates[candidate].metrics[metric].w.forEach((way) => way < 3 && (ways[way] += 1));
  if (!ways[0] && !ways[1]) return `${page.metrics[metric].label} (${count(pairs)})`;
  const told = ways.map((n, way) => n && `${count(n)} ${WAY[way]}`).filter(Boolean).join(", ");
  const button = el("button", { type: "button", class: "plain", title: page.metrics[metric].meaning }, page.metrics[metric].label);
  button.addEventListener("click", () => pick(metric));
  const counts = ways.map((n, way) => n > 0 && el("span", { class: WAY[way] }, icon(WAY[way]), ` ${count(n)}`, unseen(` ${WAY[way]}`)));
  const caption = el("figcaption", null, button, el("span", { class: "ways" }, counts));
  return el("figure", null, caption, chartOf(bars, pairs, `${page.metrics[metric].label}: ${told} of ${count(pairs)}`, open));
}

function chartOf(bars, pairs, label, open) {
  const colour = (bar) => (bar.gain < 0 ? "var(--worse)" : "var(--better)");
  const gap = pairs <= 60 ? 2 : 0;
  const chart = Plot.plot({
    width: 260,
    height: 92,
    marginLeft: 30,
    marginRight: 4,
    marginTop: 8,
    marginBottom: 6,
    ariaLabel: label,
    style: { background: "none", fontFamily: "inherit", fontSize: "10px" },
    x: { domain: [0, Math.max(pairs, FEWEST)], axis: null },
    y: { domain: [-1, 1], ticks: [-1, 0, 1], tickFormat: (d) => (d > 0 ? "+1" : d < 0 ? "−1" : "0"), label: null, tickSize: 0 },
    marks: [
      Plot.ruleY([0], { stroke: "var(--same)" }),
      Plot.rectY(bars, { x1: "from", x2: "to", y1: 0, y2: "gain", fill: colour, insetLeft: gap / 2, insetRight: gap / 2, title: barTitle }),
    ],
  });
  chart.setAttribute("role", "img");
  chart.querySelectorAll("g[aria-label]").forEach((group) => {
    group.setAttribute("class", group.getAttribute("aria-label")); // the whole has a label
    group.removeAttribute("aria-label");
  });
  chart.querySelectorAll("g.rect rect").forEach((rect, at) => {
    rect.addEventListener("click", () => open(bars[at].questions[0]));
  });
  return chart;
}

function barTitle(bar) {
  const moved = `${bar.gain > 0 ? "+" : bar.gain < 0 ? "−" : "±"}${Math.abs(bar.gain).toFixed(2)}`;
  const named = bar.questions.slice(0, 3).map((question) => page.ids[question]).join(", ");
  const more = bar.questions.length > 3 ? ` and ${count(bar.questions.length - 3)} more` : "";
  return `${moved}: ${named}${more}`;
}
