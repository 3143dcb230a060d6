import { dirname, join } from "node:path/posix";
import type { SourceFile } from "./source-files.ts";

export type Import = {
  /** The importing file, from the root of the repository. */
  from: string;
  /** The specifier as it is written. */
  specifier: string;
  /** The imported file from the root of the repository, or null when it is a package. */
  file: string | null;
  /** True when the import disappears at run time. */
  isTypeOnly: boolean;
};

/**
 * `import ... from`, `export ... from`, `import "..."` and `import(...)`, including those inside types. Comments begin
 * with a star here.
 */
const patterns: readonly RegExp[] = [
  /^(?:import|export)(?<type>\s+type\b)?[^"';]*?\bfrom\s*["'](?<specifier>[^"']+)["']/gm,
  /^import\s*(?<type>)["'](?<specifier>[^"']+)["']/gm,
  /^(?!\s*(?:\*|\/\/)).*?\bimport\(\s*(?<type>)["'`](?<specifier>[^"'`]+)["'`]\s*\)/gm,
];

export function findImports({ path, text }: SourceFile): Import[] {
  return patterns.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ groups }) => {
      const specifier = groups?.["specifier"] ?? "";
      return {
        from: path,
        specifier,
        file: specifier.startsWith(".") ? join(dirname(path), specifier) : null,
        isTypeOnly: Boolean(groups?.["type"]),
      };
    }),
  );
}

/**
 * The package's name without the path after it, such as `@scope/name` for `@scope/name/sub`. Null for Node's own
 * modules, and for those that a build writes.
 */
export function packageOf(specifier: string): string | null {
  if (/^(?:node|virtual):/.test(specifier)) {
    return null;
  }
  const steps = specifier.split("/");
  return steps.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** `packages/kernel`, `apps/local`, `tests`: the folder of the workspace that a file belongs to. */
export function workspaceOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first === "apps" || first === "packages" ? `${first}/${second}` : first;
}

export function isTestFile(path: string): boolean {
  return (
    /(?:^|\/)(?:test|testing)\/|\.test\.ts$/.test(path) ||
    workspaceOf(path) === "tests" ||
    workspaceOf(path) === "packages/testkit"
  );
}
