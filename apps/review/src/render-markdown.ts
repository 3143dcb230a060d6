import type { Review } from "./app.ts";
import { severities, type Severity } from "./compare/rule-text.ts";
import type { Finding } from "./group-changes.ts";
import { countSeverities, describeVerdict, listPlaces, severityTitles } from "./render-text.ts";

/** Marks the one comment of a pull request that is brought up to date. */
export const marker = "<!-- gateway-spec-review -->";

/** A comment takes 65,536 characters. */
const maxLength = 60_000;

/**
 * The report as one comment. Text of the document stands in code only: a pull request may come from anybody, and its text
 * must neither call people nor load pictures.
 */
export function renderMarkdown(review: Review): string {
  const blocks = [...renderHead(review), ...renderIdle(review)];
  let length = blocks.join("\n").length;
  let omitted = 0;
  for (const severity of severities) {
    const shown: string[] = [];
    for (const finding of review.findings.filter((one) => one.severity === severity)) {
      const text = renderFinding(review, finding);
      const fits = length + text.length < maxLength;
      length += fits ? text.length : 0;
      omitted += fits ? 0 : 1;
      shown.push(...(fits ? [text] : []));
    }
    blocks.push(...renderSection(review, severity, shown));
  }
  const more = omitted === 0 ? [] : [`${omitted} more do not fit into a comment: run the review to see them.`, ""];
  return [...blocks, ...more].join("\n");
}

function renderHead(review: Review): string[] {
  const counts = review.findings.length === 0 ? "nothing changed" : countSeverities(review.findings);
  return [
    marker,
    `## Spec review: ${counts}`,
    "",
    review.findings.length === 0
      ? `The document says what it said at ${code(review.base)}.`
      : `Compared with ${code(review.base)}. ${describeVerdict(review).replaceAll(/"([^"]*)"/g, "`$1`")}`,
    "",
  ];
}

function renderIdle({ idle }: Review): string[] {
  const lines = idle.map(
    ({ file, id, fault }) => `- Unused note in ${code(file)}, ${code(id || "no id")}: ${code(fault)}`,
  );
  return lines.length === 0 ? [] : [...lines, ""];
}

/** What breaks is open to the eye; the rest opens at a click. */
function renderSection(review: Review, severity: Severity, shown: readonly string[]): string[] {
  const count = review.findings.filter((one) => one.severity === severity).length;
  if (count === 0) {
    return [];
  }
  const state = severity === "breaking" ? " open" : "";
  return [
    `<details${state}><summary><b>${severityTitles[severity]}</b> (${count})</summary>`,
    "",
    ...shown,
    "</details>",
    "",
  ];
}

function renderFinding({ accepted }: Review, finding: Finding): string {
  const note = accepted.get(finding.id);
  return [
    `- ${code(finding.what)}`,
    ...(finding.file === null ? [] : [`  - file: ${code(`openapi/${finding.file}`)}`]),
    `  - where: ${listPlaces(finding.places, 8).map(code).join(", ")}`,
    `  - for whom: ${finding.audience.map(code).join(", ")}`,
    ...(finding.todo === null ? [] : [`  - what to do: ${code(finding.todo)}`]),
    `  - id: ${code(finding.id)}`,
    ...(note ? [`  - accepted in ${code(note.file)}: ${code(note.reason)}`] : []),
    "",
  ].join("\n");
}

/** Nothing inside of a code span is read as Markdown or HTML, and no backtick of the text can end it. */
function code(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll(/\s+/g, " ").trim() || "-"}\``;
}
