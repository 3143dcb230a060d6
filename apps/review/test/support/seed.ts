import type { Severity } from "../../src/compare/rule-text.ts";
import type { Draft } from "./document.ts";

/** `severity id`, without the digest. */
export type Verdict = `${Severity} ${string}`;

/** A change of our own document, and the complete list of findings that the review must report. */
export type Seed = {
  name: string;
  edit: (draft: Draft) => void;
  says: readonly Verdict[];
  /** The same for the change taken back. */
  back: readonly Verdict[];
};
