import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the repository. */
export const repository = join(import.meta.dirname, "../..");

export type SourceFile = {
  /** From the root of the repository, with slashes. */
  path: string;
  text: string;
};

/** Every TypeScript file of the repository, generated ones included, but for what a build leaves. */
export function readSourceFiles(): SourceFile[] {
  return globSync("{apps,bench,openapi,packages,scripts,tests}/**/*.{ts,tsx}", {
    cwd: repository,
    exclude: (name) => name === "node_modules" || name === "dist",
  }).map((path) => ({ path, text: readFileSync(join(repository, path), "utf8") }));
}

/** The paths of all TypeScript and Markdown of the repository, but for what a build leaves. */
export function listRepositoryFiles(): string[] {
  return globSync(["*.md", "{apps,bench,deploy,docs,openapi,packages,scripts,tests}/**/*.{md,ts,tsx}"], {
    cwd: repository,
    exclude: (name) => name === "node_modules" || name === "dist",
  });
}

/** A file of the repository as text. */
export function readRepositoryFile(path: string): string {
  return readFileSync(join(repository, path), "utf8");
}
