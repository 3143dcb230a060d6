import type { ProblemDetail } from "@gateway/contract";

const issue = "holds a character that cannot be stored: U+0000 or half of a surrogate pair";

/** Finds NUL and unpaired surrogates in keys and values. The schemas have bounded the depth. */
export function findUnstorableText(value: unknown, path: readonly string[] = []): ProblemDetail[] {
  if (typeof value === "string") {
    return isStorable(value) ? [] : [{ field: path.join("."), issue }];
  }
  if (typeof value !== "object" || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([key, entry]) =>
    isStorable(key) ? findUnstorableText(entry, [...path, key]) : [{ field: path.join("."), issue }],
  );
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}
