import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding } from "./group-changes.ts";
import type { Repository, Tree } from "./repository.ts";

/** One line `x-breaking-accepted: <id> <reason>` of a changeset. */
export type Note = { file: string; id: string; reason: string };

/** A note that covers nothing, and why. */
type IdleNote = Note & { fault: string };

export type Acceptance = { accepted: ReadonlyMap<string, Note>; idle: readonly IdleNote[] };

const folder = ".changeset";

/** The notes of changesets that the base does not have: earlier notes covered earlier changes. */
export async function readNotes(repository: Repository, base: Tree): Promise<Note[]> {
  const known = new Set(await base.listFiles(folder));
  const names = await readdir(join(repository.folder, folder)).catch(() => []);
  const files = names
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => `${folder}/${name}`)
    .filter((file) => !known.has(file))
    .sort();
  const notes = files.map(async (file) => parseNotes(file, await readFile(join(repository.folder, file), "utf8")));
  return (await Promise.all(notes)).flat();
}

/** Lines of the body, list items and quoted ids included. The front matter belongs to the release tool. */
export function parseNotes(file: string, text: string): Note[] {
  const body = text.replace(/^---\r?\n[\s\S]*?\r?\n?---(?:\r?\n|$)/, "");
  const lines = body.matchAll(/^[ \t]*(?:[-*][ \t]+)?x-breaking-accepted:[ \t]*`?([^\s`]*)`?[ \t]*(.*)$/gm);
  return [...lines].map(([, id = "", reason = ""]) => ({ file, id, reason: reason.trim() }));
}

/** Pairs notes with breaking changes. A note names one change and says why; all other notes are idle. */
export function acceptChanges(findings: readonly Finding[], notes: readonly Note[]): Acceptance {
  const accepted = new Map<string, Note>();
  const idle: IdleNote[] = [];
  for (const note of notes) {
    const fault = faultOf(note, findings, accepted);
    if (fault === null) {
      accepted.set(note.id, note);
    } else {
      idle.push({ ...note, fault });
    }
  }
  return { accepted, idle };
}

function faultOf(
  { id, reason }: Note,
  findings: readonly Finding[],
  accepted: ReadonlyMap<string, Note>,
): string | null {
  const finding = findings.find((one) => one.id === id);
  if (id === "") {
    return "it names no change";
  }
  if (!finding) {
    const similar = findings.find((one) => one.id.split("~")[0] === id.split("~")[0]);
    return similar ? `the change differs now: ${similar.id}` : "there is no such change";
  }
  if (finding.severity !== "breaking") {
    return "the change breaks no reader or sender and needs no note";
  }
  if (reason === "") {
    return "it says no reason";
  }
  return accepted.has(id) ? "another note accepts it already" : null;
}
