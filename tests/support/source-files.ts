import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The root of the repository. */
export const repository = join(import.meta.dirname, "../..");

export type SourceFile = {
  /** Path from the root of the repository, with slashes. */
  path: string;
  text: string;
};

/** A folder of packages, or of build output: `dist`, or `dist.42.next` until the build is complete. */
const isBuilt = (name: string): boolean => /^(?:node_modules|dist(?:\..*)?)$/.test(name);

/** Every TypeScript file of the repository, including generated ones, without build output. */
export function readSourceFiles(): SourceFile[] {
  return globSync("{apps,bench,openapi,packages,scripts,tests}/**/*.{ts,tsx}", {
    cwd: repository,
    exclude: isBuilt,
  }).map((path) => ({ path, text: readFileSync(join(repository, path), "utf8") }));
}

/** The paths of all TypeScript and Markdown files of the repository, without build output. */
export function listRepositoryFiles(): string[] {
  return globSync(["*.md", "{apps,bench,deploy,docs,openapi,packages,scripts,tests}/**/*.{md,ts,tsx}"], {
    cwd: repository,
    exclude: isBuilt,
  });
}

/** A file of the repository as text. */
export function readRepositoryFile(path: string): string {
  return readFileSync(join(repository, path), "utf8");
}
