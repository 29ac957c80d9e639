// Sets one opened question: what was asked, and both sides beside each other.

// Fill `target` with a question against the baseline; `candidate` counts from 0. `named`: the
// question's text stands above already, unless it is a long one.
async function showCase(target, question, candidate, named) {
  try {
    const found = await caseOf(question);
    const texts = await textsOf(found, candidate);
    const text = found.text === null ? null : texts.get(found.text);
    const told = text === null || (named && text === page.texts[question]);
    const head = told ? null : el("p", { class: "asked", dir: "auto" }, text);
    target.replaceChildren(el("div", { class: "opened" }, head, opening(found, texts, candidate)));
  } catch (error) {
    target.replaceChildren(el("p", { class: "note bad" }, `This question could not be opened: ${error.message}`));
  }
}

// The long texts that a question and two of its sides name, by number.
async function textsOf(found, candidate) {
  const numbers = new Set([found.text]);
  for (const response of [...found.sides[0], ...found.sides[candidate + 1]]) {
    numbers.add(response.answer);
    for (const chunk of response.context || []) numbers.add(chunk.text);
    for (const claim of response.claims || []) claim.quotes.forEach((quote) => numbers.add(quote));
  }
  numbers.delete(null);
  const order = [...numbers];
  const texts = await Promise.all(order.map(longText));
  return new Map(order.map((number, at) => [number, texts[at]]));
}

function opening(found, texts, candidate) {
  const before = found.sides[0];
  const after = found.sides[candidate + 1];
  const names = [page.baseline, page.candidates[candidate].name];
  const most = Math.max(before.length, after.length);
  const holder = el("div", { class: "pairs" });
  const show = (at) => {
    const left = before[Math.min(at, before.length - 1)];
    const right = after[Math.min(at, after.length - 1)];
    const moves = found.moves[candidate][Math.min(at, after.length - 1)] || [[], []];
    holder.replaceChildren(pairOf(left, right, moves, names, texts));
  };
  show(0);
  const head = [
    found.note && el("p", { class: "note" }, found.note),
    labelsOf(found),
  ];
  return [...head, most > 1 && repeatsOf(most, show), holder];
}

// What people labelled: relevant documents and expected claims with what supports them.
function labelsOf(found) {
  const lines = found.facts.length ? [el("p", null, found.facts.join(" · "))] : [];
  if (!found.labelled) lines.push(el("p", null, "Not labelled: nobody said which documents are relevant."));
  else if (!found.relevant.length) lines.push(el("p", null, el("b", null, "Unanswerable: "), "no document is relevant."));
  else lines.push(el("p", null, el("b", null, "Relevant: "), found.relevant.join(", ")));
  for (const claim of found.expected) {
    const words = claim.text ? ` “${claim.text}”` : "";
    const by = claim.docs.length ? `, supported by ${claim.docs.join(", ")}` : "";
    lines.push(el("p", null, el("b", null, `Expected claim ${claim.name}`), `${words}${by}`));
  }
  return el("div", { class: "labels" }, lines);
}

function repeatsOf(most, show) {
  const bar = el("div", { class: "repeats", role: "group", "aria-label": "Repeat" }, "Repeat");
  for (let at = 0; at < most; at += 1) {
    const button = el("button", { type: "button", "aria-pressed": String(at === 0) }, String(at + 1));
    button.addEventListener("click", () => {
      bar.querySelectorAll("button").forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      show(at);
    });
    bar.append(button);
  }
  return bar;
}

// Both sides, part by part, so that like stands beside like.
function pairOf(left, right, moves, names, texts) {
  const sides = [
    { response: left, other: right, name: names[0], role: "baseline", moved: moves[1], kind: "gone" },
    { response: right, other: left, name: names[1], role: "candidate", moved: moves[0], kind: "new", changed: { now: moves[0], then: moves[1] } },
  ];
  const both = left?.context && right?.context;
  const parts = [
    (side) => el("div", { class: "side head" }, side.name, " ", el("span", { class: "dim" }, side.role)),
    (side) => section(side, answerTitle(side), answerOf(side.response, texts)),
    (side) => section(side, contextTitle(side, both), contextOf(side, texts, both)),
    (side) => section(side, "Claims", claimsOf(side, texts)),
    (side) => section(side, "Rulings", rulingsOf(side)),
    (side) => section(side, "Values", valuesOf(side.response)),
  ];
  const used = parts.filter((part) => part(sides[0]) || part(sides[1]));
  return el("div", { class: "pair" }, used.flatMap((part) => sides.map((side) => part(side) || el("div", { class: "side" }))));
}

// A part of one side; its name is seen where sides do not stand beside each other.
function section(side, title, content) {
  return content && el("div", { class: "side" }, el("h3", null, el("span", { class: "whose" }, `${side.name} `), title), content);
}

function answerTitle(side) {
  const [here, there] = [side.response?.answer, side.other?.answer];
  const same = side.kind === "new" && here !== null && here !== undefined && here === there;
  return same ? "Answer: the same as before" : "Answer";
}

function answerOf(response, texts) {
  if (!response) return el("p", { class: "dim" }, "No response on this side.");
  if (response.error) return el("p", { class: "note bad" }, response.error);
  if (response.answer === null) {
    const why = page.content === "ids" ? "Texts are not in this report." : "No text: none was given or recorded.";
    return el("p", { class: "dim" }, why);
  }
  return textBlock(texts.get(response.answer), [], "answer");
}

function contextTitle(side, both) {
  const response = side.response;
  if (!response?.context) return "Context";
  const inferred = response.recorded ? "" : ", inferred from the ranking";
  const known = `${response.context.length} of ${response.retrieved} ranked, k = ${response.k}${inferred}`;
  const told = both && side.kind === "new" ? `Context: ${changesOf(side)}` : "Context";
  return [told, el("span", { class: "known" }, known)];
}

// What changed between two contexts, in words.
function changesOf(side) {
  const { now, then } = side.changed;
  const parts = [
    [now.filter((other) => other === 0).length, "new"],
    [then.filter((other) => other === 0).length, "gone"],
    [now.filter((other) => other < 0).length, "cut in another way"],
    [now.filter((other, at) => other > 0 && other !== at + 1).length, "moved"],
  ];
  const told = parts.filter(([n]) => n).map(([n, what]) => `${n} ${what}`);
  return told.length ? told.join(", ") : "the same as before";
}

function contextOf(side, texts, both) {
  const response = side.response;
  if (!response) return null;
  if (response.context === null) return el("p", { class: "dim" }, "Not known: the ranking was not stored.");
  if (!response.context.length) return el("p", { class: "dim" }, "Empty: nothing was retrieved.");
  const cited = new Set((response.claims || []).flatMap((claim) => claim.cites.map((cite) => cite.doc)));
  const rows = response.context.map((chunk, at) => chunkOf(chunk, at + 1, both ? side.moved[at] : null, side.kind, cited, texts));
  return el("ol", { class: "context" }, rows);
}

// One chunk: its rank, what moved, what the labels make of it, and its text with the evidence.
function chunkOf(chunk, rank, other, kind, cited, texts) {
  const head = [
    el("span", { class: "rank" }, `${rank}`),
    el("b", { class: "id" }, chunk.doc),
    chunk.span && el("span", { class: "dim" }, `characters ${count(chunk.span[0])} to ${count(chunk.span[1])}`),
    movement(rank, other, kind),
    el("span", { class: `tag ${chunk.place}` }, chunk.says),
    cited.has(chunk.doc) && el("span", { class: "tag" }, "cited"),
  ];
  const tone = { relevant: "better", leak: "worse", disputed: "unpaired", elsewhere: "unpaired" }[chunk.place] || "";
  return el(
    "li",
    { class: `${tone} ${other === 0 ? kind : ""}` },
    el("div", { class: "row-head" }, head),
    chunk.title && el("div", { class: "dim", dir: "auto" }, chunk.title),
    chunk.text !== null && textBlock(texts.get(chunk.text), chunk.marks),
  );
}

// How a chunk stands to the other side's context: `other` is its rank there, 0: not there,
// below 0: another chunk with some of its text has that rank.
function movement(rank, other, kind) {
  if (other === null || other === undefined || other === rank) return null;
  const tag = (name, text) => el("span", { class: `tag ${name}` }, text);
  if (other === 0) return tag(kind, kind === "new" ? "+ new" : "− gone after");
  if (other < 0) return tag("cut", `≈ partly at rank ${-other} ${kind === "new" ? "before" : "after"}`);
  if (kind === "gone") return tag("", `→ rank ${other} after`);
  return other > rank ? tag("up", `↑ up from ${other}`) : tag("down", `↓ down from ${other}`);
}

function claimsOf(side, texts) {
  const response = side.response;
  if (!response) return null;
  if (response.claims === null) return response.rulings.length ? null : el("p", { class: "dim" }, `Not known: ${response.unknown}.`);
  const others = side.other?.claims && new Map(side.other.claims.map((claim) => [claim.name, claim.verdict]));
  const rows = response.claims.map((claim) =>
    el(
      "li",
      { class: claim.verdict },
      el("div", { class: "row-head" }, el("b", { class: "id" }, claim.name), verdictOf(claim.verdict, claim.says), changeOf(claim, others, side.kind)),
      citesOf(claim),
      claim.quotes.map((quote) => el("div", { class: "quote", dir: "auto" }, texts.get(quote))),
    ),
  );
  for (const claim of response.missing) {
    rows.push(el("li", { class: "missing" }, el("div", { class: "row-head" }, el("b", { class: "id" }, claim.name), verdictOf("unresolved", claim.says))));
  }
  if (!response.claims.length) rows.unshift(el("li", null, "No claim was made."));
  return el("ul", { class: "claims" }, rows);
}

function verdictOf(verdict, says) {
  const sign = { supported: "accept", unsupported: "reject", unresolved: "unmeasurable" }[verdict];
  return el("span", { class: "verdict-word" }, icon(sign), ` ${says}`);
}

// Whether the other side makes the claim too; only a difference is worth a word.
function changeOf(claim, others, kind) {
  if (!others) return null;
  if (!others.has(claim.name)) return el("span", { class: `tag ${kind}` }, kind === "new" ? "+ new" : "− gone after");
  if (kind === "gone" || others.get(claim.name) === claim.verdict) return null;
  return el("span", { class: "tag new" }, `was ${others.get(claim.name) === "supported" ? "supported" : others.get(claim.name) === "unsupported" ? "not supported" : "in dispute"}`);
}

// Why a claim counts or not: the ground, and how each citation stands.
function citesOf(claim) {
  const lines = claim.ground ? [el("div", { class: "cites" }, el("span", { class: "bad" }, claim.ground))] : [];
  for (const cite of claim.cites) {
    const told = claim.ground ? "" : `: ${cite.says}`;
    const bad = !claim.ground && !["counts", "disputed"].includes(cite.counts);
    lines.push(el("div", { class: "cites" }, "cites ", el("span", { class: "id" }, cite.doc), el("span", { class: bad && "bad" }, told)));
  }
  return lines;
}

// What was ruled on each item; where the other side's ruling on it was another, that too.
function rulingsOf(side) {
  const rulings = side.response?.rulings;
  if (!rulings?.length) return null;
  const key = (ruling) => JSON.stringify([ruling.asked, ruling.text, ruling.passage]);
  const others = new Map((side.other?.rulings || []).map((ruling) => [key(ruling), ruling.label]));
  const rows = rulings.map((ruling) => {
    const tone = { true: "supported", false: "unsupported" }[ruling.good] || "";
    const ranks = ruling.passages && (ruling.passages.length ? `in passage ${ruling.passages.join(", ")}` : "in no passage");
    const was = side.kind === "new" && others.get(key(ruling));
    const head = [
      el("span", { class: "dim" }, ruling.asked),
      el("span", { class: "verdict-word" }, ruling.label),
      el("span", { class: "dim" }, ranks || (ruling.passage && `passage ${ruling.passage}`)),
      was && was !== ruling.label && el("span", { class: "tag new" }, `was ${was}`),
    ];
    return el(
      "li",
      { class: tone },
      el("div", { class: "row-head" }, head),
      ruling.text && el("div", { dir: "auto" }, ruling.text),
      ruling.quote && el("div", { class: "quote", dir: "auto" }, ruling.quote),
    );
  });
  return el("ul", { class: "claims" }, rows);
}

function valuesOf(response) {
  if (!response) return null;
  const causes = response.causes.map((cause) => el("li", { class: "worse" }, el("span", { class: "cause" }, cause)));
  const leaks = response.leaks.length ? [el("li", { class: "worse" }, el("span", { class: "cause leak" }, `leaked: ${response.leaks.join(", ")}`))] : [];
  const values = response.values.map(([name, value]) => el("li", null, `${name} `, el("b", null, value)));
  const list = el("ul", { class: "values" }, leaks, causes, values);
  return response.rankings?.rows.length ? [list, rankingsOf(response.rankings)] : list;
}

// The ranking at its cutoffs: a row a metric, a column a cutoff.
function rankingsOf({ cutoffs, rows }) {
  const head = el("tr", null, el("th", { scope: "col" }, "Ranking, k ="), cutoffs.map((k) => el("th", { scope: "col", class: "num" }, String(k))));
  const body = rows.map(([name, ...values]) => el("tr", null, el("th", { scope: "row" }, name), cutoffs.map((_, at) => el("td", { class: "num" }, values[at]))));
  return el("div", { class: "wide" }, el("table", { class: "cutoffs" }, el("thead", null, head), el("tbody", null, body)));
}
