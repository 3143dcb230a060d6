import { acceptChanges, readNotes, type Acceptance } from "./accepted-notes.ts";
import { compareDocuments } from "./compare/compare-documents.ts";
import { groupChanges, type Finding } from "./group-changes.ts";
import { expectFresh, readVersion } from "./read-documents.ts";
import { findRepository } from "./repository.ts";
import { UsageError } from "./usage-error.ts";

export type Review = Acceptance & {
  base: string;
  commit: string;
  findings: readonly Finding[];
  /** Breaking changes that no note accepts. */
  open: readonly Finding[];
  /** The base has commits that the working tree lacks, so their additions look like removals here. */
  isBehind: boolean;
};

/** Compares the published documents around `from` with a commit's. Throws a UsageError, even when they are stale. */
export async function reviewDocuments({ from, base }: { from: string; base: string }): Promise<Review> {
  const repository = await findRepository(from);
  const commit = await repository.resolveCommit(base);
  const tree = repository.treeOf(commit, base);
  const [before, after, notes, isAncestor] = await Promise.all([
    readVersion(tree),
    readVersion(repository.workingTree),
    readNotes(repository, tree),
    repository.isAncestor(commit),
    expectFresh(repository.workingTree),
  ]);
  if (Object.keys({ ...before.documents, ...after.documents }).length === 0) {
    throw new UsageError(`Neither ${base} nor the working tree has a published document.`);
  }
  const changes = compareDocuments(before.documents, after.documents);
  const findings = groupChanges(changes, {
    fileOf: (place) => after.fileOf(place) ?? before.fileOf(place),
    fileOfComponent: (...names) => after.fileOfComponent(...names) ?? before.fileOfComponent(...names),
  });
  const acceptance = acceptChanges(findings, notes);
  const open = findings.filter(({ id, severity }) => severity === "breaking" && !acceptance.accepted.has(id));
  return { base, commit, findings, open, isBehind: !isAncestor, ...acceptance };
}
