// The filters above the table: what is asked for, and which questions pass.

const PAIRED = { all: "any direction", worse: "worse", better: "better", mixed: "mixed: worse and better", same: "the same", unpaired: "no pair" };

// What is asked for now. -1: all; `sort` is "worst", "id", "cause", "cut" or a metric's number.
const asked = { text: "", candidate: 0, metric: -1, way: "all", cause: -1, attribute: -1, value: -1, sort: "worst", up: true };
const START = { ...asked };

// Controls for `asked` in `form`; `changed` is called after each change.
function drawFilters(form, changed) {
  const set = (key, value) => {
    asked[key] = value;
    if (key === "attribute") asked.value = -1;
    if (key === "metric") asked.sort = value < 0 ? "worst" : value;
    if (key === "metric") asked.up = true;
    if (key === "attribute") drawFilters(form, changed);
    changed(key);
    if (key === "attribute") form.querySelector('[name="attribute"]').focus();
  };
  const attribute = page.attributes[asked.attribute];
  const controls = [
    textField("Question or id", "text", set),
    page.candidates.length > 1 && choice("Candidate", "candidate", page.candidates.map((one, at) => [at, one.name]), set),
    choice("Metric", "metric", [[-1, "all metrics"], ...page.metrics.map((metric, at) => [at, metric.label, metric.group])], set),
    choice("Direction", "way", Object.entries(PAIRED), set),
    choice("Cause", "cause", [[-1, "any cause"], ...page.causes.map((cause, at) => [at, cause])], set),
    page.attributes.length > 0 && choice("Slice by", "attribute", [[-1, "no attribute"], ...page.attributes.map((one, at) => [at, one.name])], set),
    attribute && choice(attribute.name, "value", [[-1, "any value"], ...attribute.values.map((value, at) => [at, value])], set),
  ];
  form.replaceChildren(...controls.filter(Boolean));
}

function textField(label, key, set) {
  const input = el("input", { type: "search", name: key, autocomplete: "off", value: asked[key] });
  input.addEventListener("input", () => set(key, input.value));
  return el("label", null, label, input);
}

function choice(label, key, options, set) {
  const select = el("select", { name: key }, grouped(options));
  select.value = String(asked[key]);
  const numbers = typeof options[0][0] === "number";
  select.addEventListener("change", () => set(key, numbers ? Number(select.value) : select.value));
  return el("label", null, label, select);
}

// Options, those of a group under its head.
function grouped(options) {
  const groups = new Map();
  options.forEach(([value, text, group]) => groups.set(group || "", [...(groups.get(group || "") || []), el("option", { value }, text)]));
  return [...groups].flatMap(([group, made]) => (group ? el("optgroup", { label: group }, made) : made));
}

// The direction of a question: of the chosen metric, or over all of them.
function wayOf(question) {
  const candidate = page.candidates[asked.candidate];
  if (asked.metric >= 0 && !page.metrics[asked.metric].neutral) return WAY[candidate.metrics[asked.metric].w[question]];
  return { 0: "unpaired", 1: "worse", 2: "better", 3: "mixed", 4: "same" }[candidate.way[question]];
}

function passes(question, needle) {
  const way = wayOf(question);
  const fits = asked.way === "all" || way === asked.way || (way === "mixed" && ["worse", "better"].includes(asked.way));
  if (!fits) return false;
  if (asked.cause >= 0 && !((page.candidates[asked.candidate].causes[question] >> asked.cause) & 1)) return false;
  if (asked.attribute >= 0) {
    const code = page.attributes[asked.attribute].codes[question];
    if (asked.value >= 0 ? code !== asked.value : code < 0) return false;
  }
  return !needle || page.ids[question].toLowerCase().includes(needle) || page.texts[question].toLowerCase().includes(needle);
}

// Numbers of the questions that pass, in the order asked for; ties in the order of the file.
function chosen() {
  const needle = asked.text.trim().toLowerCase();
  const found = [];
  for (let question = 0; question < page.ids.length; question += 1) {
    if (passes(question, needle)) found.push(question);
  }
  const keys = new Map(found.map((question) => [question, sortKey(question)]));
  const compare = (one, other) => {
    const [left, right] = [keys.get(one), keys.get(other)];
    if (left === right) return one - other;
    if (left === null) return 1;
    if (right === null) return -1;
    return (left < right ? -1 : 1) * (asked.up ? 1 : -1);
  };
  return found.sort(compare);
}

function sortKey(question) {
  const candidate = page.candidates[asked.candidate];
  if (asked.sort === "id") return page.ids[question];
  if (asked.sort === "cause") return candidate.causes[question] || null;
  const told = (metric) => !metric.neutral && (asked.sort !== "cut" || metric.group);
  if (asked.sort !== "worst" && asked.sort !== "cut") return gain(asked.candidate, asked.sort, question);
  const falls = page.metrics.map((metric, at) => (told(metric) ? gain(asked.candidate, at, question) : null)).filter((moved) => moved !== null);
  const worse = candidate.way[question] & 1 ? -10 : 0;
  return falls.length || worse ? worse + Math.min(0, ...falls) + (worse ? 0 : Math.max(0, ...falls)) : null;
}
