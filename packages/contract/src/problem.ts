import { problemCodes } from "./generated/problem-codes.ts";

/** Every error that the document knows. */
export type ProblemCode = keyof typeof problemCodes;

/** One offending field and what is wrong with it; `field` is a dotted path such as `metadata.color`. */
export type ProblemDetail = { field: string; issue: string };

export type ProblemOptions = {
  details?: readonly ProblemDetail[];
  /** Extra response headers, names in the case to send. */
  headers?: Readonly<Record<string, string>>;
  /** For the log only; the caller never sees it. */
  cause?: unknown;
};

/** A refusal that becomes the response. The caller reads `message`; `cause` goes to the log. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly details: readonly ProblemDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, message: string, options: ProblemOptions = {}) {
    super(message, { cause: options.cause });
    this.name = "Problem";
    this.code = code;
    this.status = problemCodes[code].status;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }
}

/** The refusal of one field: `INVALID_REQUEST` with a single detail. */
export function invalidField(field: string, issue: string): Problem {
  return invalidFields([{ field, issue }]);
}

/** The refusal of one field or more. */
export function invalidFields(details: readonly ProblemDetail[]): Problem {
  const [first] = details;
  const message =
    details.length === 1 && first
      ? endSentence(`The field ${first.field} ${first.issue}`)
      : `The request has ${details.length} offending fields; details names each.`;
  return new Problem("INVALID_REQUEST", message, { details });
}

/** An issue may end with a question: "must be one of USD, EUR; did you mean EUR?". */
function endSentence(text: string): string {
  return text.endsWith("?") ? text : `${text}.`;
}
