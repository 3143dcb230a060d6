import type { Review } from "./app.ts";
import { severities, type Severity } from "./compare/rule-text.ts";
import type { Finding } from "./group-changes.ts";
import { countSeverities, describeVerdict, listPlaces, severityTitles } from "./render-text.ts";

/** Marks the comment of a pull request that later reviews update. */
export const marker = "<!-- gateway-spec-review -->";

/** A comment holds at most 65,536 characters. */
const maxLength = 60_000;

/**
 * The report as one comment. Texts of the document are always code spans: a pull request may come from anyone, and its
 * texts must neither mention people nor load pictures.
 */
export function renderMarkdown(review: Review): string {
  const blocks = [...renderHead(review), ...renderAudiences(review.findings), ...renderIdle(review)];
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

/** The comment of a review that failed. */
export function renderFailure(base: string, message: string): string {
  return [
    marker,
    "## Spec review: nothing was compared",
    "",
    `It was to be compared with ${code(base)}. ${code(message)}`,
    "",
  ].join("\n");
}

function renderHead(review: Review): string[] {
  const counts = review.findings.length === 0 ? "nothing changed" : countSeverities(review.findings);
  return [
    marker,
    `## Spec review: ${counts}`,
    "",
    review.findings.length === 0
      ? `The document says what it said at ${nameBase(review)}.`
      : `Compared with ${nameBase(review)}. ${describeVerdict(review).replaceAll(/"([^"]*)"/g, "`$1`")}`,
    "",
  ];
}

/** `HEAD^1` means nothing to a reader of the comment, so the commit is named. */
function nameBase({ base, commit }: Review): string {
  return commit.startsWith(base) ? code(commit.slice(0, 12)) : `${code(base)}, commit ${code(commit.slice(0, 12))}`;
}

/** The number of changes of each kind for each audience, the worst affected first. */
function renderAudiences(findings: readonly Finding[]): string[] {
  const groups = [...new Set(findings.flatMap(groupsOf))];
  const count = (group: string, severity: Severity): number =>
    findings.filter((one) => one.severity === severity && groupsOf(one).includes(group)).length;
  const rows = groups.map((group) => ({ group, counts: severities.map((severity) => count(group, severity)) }));
  rows.sort((a, b) => severities.map((_, i) => (b.counts[i] ?? 0) - (a.counts[i] ?? 0)).find((one) => one !== 0) ?? 0);
  return rows.length === 0
    ? []
    : [
        `| for whom | ${severities.map((severity) => severityTitles[severity]).join(" | ")} |`,
        `|---|${severities.map(() => "--:|").join("")}`,
        ...rows.map(({ group, counts }) => `| ${code(group)} | ${counts.map((one) => one || "").join(" | ")} |`),
        "",
      ];
}

/** An audience without the names of its operations: "consumers", "receivers of events". */
function groupsOf({ audience }: Finding): string[] {
  return [
    ...new Set(
      audience.map((one) => one.replace(/ that call .*$/, "").replace(/^receivers of .*$/, "receivers of events")),
    ),
  ];
}

function renderIdle({ idle }: Review): string[] {
  const lines = idle.map(
    ({ file, id, fault }) => `- Unused note in ${code(file)}, ${code(id || "no id")}: ${code(fault)}`,
  );
  return lines.length === 0 ? [] : [...lines, ""];
}

/** The section of breaking changes is open; the other sections open at a click. */
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

/** The change and its audience. A breaking change also says what to do and the id that accepts it. */
function renderFinding({ accepted }: Review, finding: Finding): string {
  const note = accepted.get(finding.id);
  const isBreaking = finding.severity === "breaking";
  const where = finding.file === null ? listPlaces(finding.places, 1).join(", ") : `openapi/${finding.file}`;
  const audience = isBreaking ? finding.audience.join(", ") : groupsOf(finding).join(", ");
  return [
    `- ${code(shorten(finding.what))}, for ${code(shorten(audience))}, in ${code(shorten(where))}`,
    ...(isBreaking ? [`  ${code(finding.todo ?? "Keep it.")} id: ${code(finding.id)}`] : []),
    ...(note ? [`  accepted in ${code(note.file)}: ${code(note.reason)}`] : []),
  ].join("\n");
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 160)}...` : text;
}

/** A code span that neither a backtick nor a bar of the text can end. */
function code(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", "/").replaceAll(/\s+/g, " ").trim() || "-"}\``;
}
