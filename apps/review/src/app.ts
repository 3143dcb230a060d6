import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acceptChanges, readNotes, type Acceptance } from "./accepted-notes.ts";
import { bundleDocuments } from "./bundle-documents.ts";
import { compareDocuments, type Documents } from "./compare/compare-documents.ts";
import { groupChanges, type Finding } from "./group-changes.ts";
import { findRepository, type Repository } from "./repository.ts";
import { UsageError } from "./usage-error.ts";

export type Review = Acceptance & {
  base: string;
  findings: readonly Finding[];
  /** Breaking changes that no note accepts. */
  open: readonly Finding[];
  /** The base has commits that the working tree has not: what they added looks as if it were taken away here. */
  isBehind: boolean;
};

const folder = "openapi";

/** Compares the documents of the working tree around `from` with those of a commit. Throws a UsageError when it cannot. */
export async function reviewDocuments({ from, base }: { from: string; base: string }): Promise<Review> {
  const repository = await findRepository(from);
  const commit = await repository.resolveCommit(base);
  const [before, after, notes, isAncestor] = await Promise.all([
    bundleCommit(repository, commit, base),
    bundleDocuments(join(repository.folder, folder), "the working tree"),
    readNotes(repository, commit),
    repository.isAncestor(commit),
  ]);
  if (Object.keys(before).length + Object.keys(after).length === 0) {
    throw new UsageError(`Neither ${base} nor the working tree has a document in ${folder}/.`);
  }
  const findings = groupChanges(compareDocuments(before, after));
  const acceptance = acceptChanges(findings, notes);
  const open = findings.filter(({ id, severity }) => severity === "breaking" && !acceptance.accepted.has(id));
  return { base, findings, open, isBehind: !isAncestor, ...acceptance };
}

async function bundleCommit(repository: Repository, commit: string, label: string): Promise<Documents> {
  if ((await repository.listFiles(commit, folder)).length === 0) {
    return {};
  }
  const target = await mkdtemp(join(tmpdir(), "spec-review-"));
  try {
    await repository.exportFolder(commit, folder, target);
    return await bundleDocuments(join(target, folder), label);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}
