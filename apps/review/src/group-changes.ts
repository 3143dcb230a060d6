import { createHash } from "node:crypto";
import { audienceOf } from "./audience.ts";
import type { Change, ChangeLocation } from "./compare/change.ts";
import { severities, type Severity } from "./compare/rule-text.ts";
import { rules, type RuleName } from "./compare/rules.ts";

/** One change of the document, with all places that it affects. */
export type Finding = {
  /** Equal for the same change in the same places. A note accepts this and nothing more. */
  id: string;
  rule: RuleName;
  severity: Severity;
  what: string;
  todo: string | null;
  /** The file of `openapi/` with the change; null when it is unknown. */
  file: string | null;
  places: readonly ChangeLocation[];
  audience: readonly string[];
};

type FindFiles = {
  fileOf(place: ChangeLocation): string | null;
  fileOfComponent(document: string, anchor: string): string | null;
};

const noFiles: FindFiles = { fileOf: () => null, fileOfComponent: () => null };

/**
 * Joins the changes of a component into one finding with many places. The id ends with a digest of the change and all
 * places, so that accepting it covers no later change or place.
 */
export function groupChanges(changes: readonly Change[], files: FindFiles = noFiles): Finding[] {
  const groups = Map.groupBy(changes, ({ rule, anchor, value, before, after }) =>
    JSON.stringify([withoutChannel(rule), anchor, value, before, after]),
  );
  const findings = [...groups.values()].flatMap((group) => (group[0] ? [toFinding(group[0], group, files)] : []));
  return findings.sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || (a.id < b.id ? -1 : 1),
  );
}

/** Responses and events are both read, so the same change in both is one change. The same holds for sent values. */
function withoutChannel(rule: RuleName): string {
  return rule.replace(/^(?:response|event)-/, "read-").replace(/^(?:request|answer)-/, "sent-");
}

function toFinding(change: Change, group: readonly Change[], files: FindFiles): Finding {
  const { what, severity, todo } = rules[change.rule];
  const places = uniquePlaces(group.map(({ place }) => cleanPlace({ ...place, file: files.fileOf(place) })));
  return {
    id: identify(change, places),
    rule: change.rule,
    severity,
    what: fill(what, change).replace(/ \((?:request|response|event|answer)\)$/, ` (${channelsOf(group)})`),
    todo: todo === undefined ? null : fill(todo, change),
    file: files.fileOfComponent(change.place.document, change.anchor) ?? places[0]?.file ?? null,
    places,
    audience: audienceOf(change, places),
  };
}

function channelsOf(group: readonly Change[]): string {
  return [...new Set(group.map(({ rule }) => rule.split("-")[0]))].join(", ");
}

function uniquePlaces(places: readonly ChangeLocation[]): ChangeLocation[] {
  return [...new Map(places.map((place) => [keyOf(place), place])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, place]) => place);
}

function keyOf({ document, kind, name, at }: ChangeLocation): string {
  return JSON.stringify([document, kind, name, at]);
}

function identify({ rule, anchor, value, before, after }: Change, places: readonly ChangeLocation[]): string {
  const name = value === undefined ? anchor : `${anchor}=${value}`;
  const content = JSON.stringify([rule, anchor, value, before, after, places.map(keyOf)]);
  const digest = createHash("sha256").update(content).digest("hex").slice(0, 8);
  return `${rule}:${toWord(name)}~${digest}`;
}

/** A word for shell and Markdown. The digest distinguishes texts that become alike. */
function toWord(text: string): string {
  const word = text.replaceAll(/["']/g, "").replaceAll(/[^\w./{}[\]<>=-]+/g, "_");
  return word.length > 80 ? `${word.slice(0, 80)}...` : word;
}

function fill(template: string, { anchor, value, before, after }: Change): string {
  const values = new Map(Object.entries({ anchor, value, before, after }));
  return template.replaceAll(/\{(anchor|value|before|after)\}/g, (_all, name: string) =>
    shorten(values.get(name) ?? ""),
  );
}

function cleanPlace(place: ChangeLocation): ChangeLocation {
  return {
    ...place,
    name: shorten(place.name),
    address: shorten(place.address),
    at: shorten(place.at),
    file: place.file ? shorten(place.file) : null,
  };
}

/** One line, without characters that steer a terminal. */
function shorten(raw: string): string {
  const text = raw.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ");
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
