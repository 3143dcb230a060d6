import { invalidField, maxBodyBytes, type OperationPolicy, Problem } from "@gateway/contract";
import type { Request, RequestHandler } from "express";
import getRawBody from "raw-body";
import { findRepeatedMember } from "../validation/repeated-member.ts";

const jsonContentType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** At most 256 KiB of UTF-8, no member twice. Runs after the limit, so that an unknown caller cannot make us read. */
export function readBody(operation: OperationPolicy): RequestHandler {
  return operation.hasBody ? readJsonBody : refuseBody;
}

const readJsonBody: RequestHandler = async (req, _res, next) => {
  const encoding = req.headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new Problem(
      "UNSUPPORTED_MEDIA_TYPE",
      `Send the body uncompressed; Content-Encoding ${JSON.stringify(encoding)} is not supported.`,
    );
  }
  const bytes = hasBody(req) ? await readBytes(req) : Buffer.alloc(0);
  if (bytes.length > 0 && !jsonContentType.test(req.headers["content-type"] ?? "")) {
    throw new Problem(
      "UNSUPPORTED_MEDIA_TYPE",
      "Send the body as JSON, with the header Content-Type: application/json.",
    );
  }
  if (bytes.length === 0) {
    throw invalidBody("is missing; send a JSON object");
  }
  req.call.body = { bytes, json: parseJson(bytes) };
  next();
};

/** Refuses an unexpected body, because two readers of one connection could disagree about where it ends. */
const refuseBody: RequestHandler = (req, _res, next) => {
  if (hasBody(req)) {
    throw invalidBody("is not accepted by this operation; send none");
  }
  next();
};

function hasBody(req: Request): boolean {
  return req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
}

async function readBytes(req: Request): Promise<Buffer> {
  try {
    return await getRawBody(req, { length: req.headers["content-length"] ?? null, limit: maxBodyBytes });
  } catch (error) {
    throw error instanceof Error && "type" in error && error.type === "entity.too.large"
      ? new Problem("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBodyBytes} bytes.`, { cause: error })
      : incompleteBody(error);
  }
}

export function incompleteBody(cause?: unknown): Problem {
  return new Problem("INVALID_REQUEST", "The body ended before it was complete.", { cause });
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (error) {
    throw invalidBody("is not valid UTF-8", error);
  }
  const body = parseText(text);
  const repeated = findRepeatedMember(text);
  if (repeated !== null) {
    throw invalidField(repeated.slice(0, 100) || "body", "must occur only once in its object");
  }
  return body;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidBody(`is not valid JSON${positionOf(error)}`, error);
  }
}

/** Only the place of the fault is repeated: the engine's message quotes the body, which may hold a secret. */
function positionOf(error: unknown): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : "");
  return position ? ` at character ${position[1]}` : "";
}

function invalidBody(issue: string, cause?: unknown): Problem {
  return new Problem("INVALID_REQUEST", `The body ${issue}.`, { details: [{ field: "body", issue }], cause });
}
