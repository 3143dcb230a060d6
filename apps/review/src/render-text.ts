import type { Review } from "./app.ts";
import type { ChangeLocation } from "./compare/change.ts";
import { severities, type Severity } from "./compare/rule-text.ts";
import type { Finding } from "./group-changes.ts";

export const severityTitles: Readonly<Record<Severity, string>> = {
  breaking: "Breaking",
  attention: "Needs attention",
  additive: "Additive",
  documentation: "Documentation",
};

/** The report for a terminal, worst first. */
export function renderText(review: Review): string {
  const groups = severities.flatMap((severity) => renderGroup(review, severity));
  const lines = review.findings.length === 0 ? [`The document says what it said at ${review.base}.`, ""] : groups;
  return [...lines, ...renderIdle(review), summarize(review)].join("\n");
}

/** The last line: what it comes to. */
function summarize(review: Review): string {
  return review.findings.length === 0
    ? "Nothing changed."
    : `${countSeverities(review.findings)}. ${describeVerdict(review)}`;
}

export function countSeverities(findings: readonly Finding[]): string {
  const counts = severities.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return `${count} ${severityTitles[severity].toLowerCase()}`;
  });
  return counts.join(", ");
}

export function describeVerdict({ open, accepted }: Review): string {
  const part = accepted.size === 0 ? "" : `${accepted.size} of the breaking accepted. `;
  return open.length === 0
    ? `${part}No change blocks the merge.`
    : `${part}${open.length} not accepted: take back what breaks, or add a new changeset with a line "x-breaking-accepted: <id> <reason>" for each.`;
}

function renderGroup(review: Review, severity: Severity): string[] {
  const findings = review.findings.filter((finding) => finding.severity === severity);
  if (findings.length === 0) {
    return [];
  }
  const blocks = findings.flatMap((finding) => [...renderFinding(review, finding), ""]);
  return [`${severityTitles[severity]} (${findings.length})`, "", ...blocks];
}

function renderFinding({ accepted }: Review, finding: Finding): string[] {
  const note = accepted.get(finding.id);
  return [
    `  ${finding.id}`,
    `    ${finding.what}`,
    ...(finding.file === null ? [] : [`    file:  openapi/${finding.file}`]),
    `    where: ${listPlaces(finding.places, 3).join("; ")}`,
    `    for:   ${finding.audience.join("; ")}`,
    ...(finding.todo === null ? [] : [`    do:    ${finding.todo}`]),
    ...(note ? [`    accepted in ${note.file}: ${note.reason}`] : []),
  ];
}

function renderIdle({ idle }: Review): string[] {
  const lines = idle.map(({ file, id, fault }) => `Unused note in ${file}: ${id || "(no id)"}: ${fault}.`);
  return lines.length === 0 ? [] : [...lines, ""];
}

/** The first things that a change is felt in, one entry each, and how many more there are. */
export function listPlaces(places: readonly ChangeLocation[], count: number): string[] {
  const things = [...Map.groupBy(places, nameThing)].map(([thing, members]) => nameSpots(thing, members));
  return things.length > count + 1 ? [...things.slice(0, count), `and ${things.length - count} more`] : things;
}

function nameThing({ document, kind, name, address, file }: ChangeLocation): string {
  if (kind === "document") {
    return document;
  }
  const notes = [address, file].filter((note) => note);
  const suffix = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
  return kind === "event" ? `event ${name}${suffix}` : `${name}${suffix}`;
}

function nameSpots(thing: string, members: readonly ChangeLocation[]): string {
  const [first = "", ...more] = members.map(({ at }) => at).filter((at) => at !== "");
  const rest = more.length === 0 ? "" : ` and in ${more.length} more`;
  return first === "" ? thing : `${thing}: ${first}${rest}`;
}
