import { Problem, type OperationPolicy, invalidField, maxBodyBytes } from "@gateway/contract";
import type { ConsoleSession } from "@gateway/platform/console";
import type { Request, RequestHandler, Response } from "express";
import { consoleHeader } from "../session/require-page.ts";
import type { SignedIn } from "../session/signed-in.ts";
import type { FindAllowed } from "./allowed-operations.ts";

export type ForwardCallDeps = {
  signedIn: SignedIn;
  findAllowed: FindAllowed;
  /** The only origin that is ever called. */
  apiUrl: string;
  /** Aborts when this process stops, and cuts off requests that only wait for something to happen. */
  stopping: AbortSignal;
};

type Answer = { status: number; headers: Headers; body: Buffer };

/** Longer than the gateway takes for any request, including a long poll. */
const timeoutMs = 60_000;

/** The request headers that are forwarded. Cookies and hop-by-hop headers (RFC 9110, 7.6.1) are not. */
const sentHeaders = ["content-type", "idempotency-key", "user-agent"] as const;
/** The response headers that the client and a reader need. This server sets all others itself. */
const answeredHeaders =
  /^(?:content-type|retry-after|www-authenticate|allow|idempotency-replayed|x-request-id|x-ratelimit-.+)$/;

/** Forwards an operation of the document to the API as the signed-in person. Other requests are never forwarded. */
export function forwardCall({ signedIn, findAllowed, apiUrl, stopping }: ForwardCallDeps): RequestHandler {
  return async (req, res) => {
    const allowed = findAllowed(req.method, req.originalUrl);
    if (allowed.kind === "otherMethod") {
      const methods = allowed.methods.join(", ");
      throw new Problem("METHOD_NOT_ALLOWED", `This path does not take ${req.method}; it takes ${methods}.`, {
        headers: { Allow: methods },
      });
    }
    if (allowed.kind === "nothing") {
      throw new Problem("NOT_FOUND", "There is no such operation of the API.");
    }
    const { operation, target } = allowed;
    req.visit.route = operation.operationId;
    const read = createBodyOnce(req, operation);
    const gone = abortedWhenGone(res);
    if (target.includes("waitSeconds=")) {
      endWhenStopping(res, stopping);
    }
    const answer = await signedIn.run(req, res, {
      work: async (session) => send(req, { url: `${apiUrl}${target}`, session, body: await read(), gone: gone.signal }),
      isRefused: isTokenRefused,
    });
    if (isTokenRefused(answer)) {
      // The API refused even a token that was just renewed. Signing in again would not help the person.
      throw new Problem(
        "UNAVAILABLE",
        "The API is not accepting the identity provider's tokens at the moment. Try again.",
        {
          headers: { "Retry-After": "5" },
          cause: new Error("The gateway refused an access token that was just renewed."),
        },
      );
    }
    respondWith(res, answer);
  };
}

/** Reads the body only when a user is signed in, and only once for two attempts. */
function createBodyOnce(req: Request, operation: OperationPolicy): () => Promise<Buffer | null> {
  let body: Promise<Buffer | null> | null = null;
  return () => {
    body ??= readCallBody(req, operation);
    return body;
  };
}

async function send(
  req: Request,
  { url, session, body, gone }: { url: string; session: ConsoleSession; body: Buffer | null; gone: AbortSignal },
): Promise<Answer> {
  const headers = new Headers({
    Authorization: `Bearer ${session.tokens.accessToken}`,
    // The gateway decides by this header whether a call counts as a program's, as one that a user tries out does.
    [consoleHeader]: req.get(consoleHeader) ?? "1",
    ...(req.ip !== undefined && { "X-Forwarded-For": req.ip }),
  });
  for (const name of sentHeaders) {
    const value = req.headers[name];
    if (typeof value === "string") {
      headers.set(name, value);
    }
  }
  try {
    const response = await fetch(url, {
      method: req.method,
      headers,
      body: body && new Uint8Array(body),
      redirect: "manual",
      signal: AbortSignal.any([gone, AbortSignal.timeout(timeoutMs)]),
    });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  } catch (error) {
    throw new Problem(
      "UNAVAILABLE",
      "The API does not answer. Try again in a moment; with the same Idempotency-Key nothing is done twice.",
      { headers: { "Retry-After": "1" }, cause: error },
    );
  }
}

/** Whether the gateway refused the token itself. A sign-in that is too old has a code of its own. */
function isTokenRefused({ status, body }: Answer): boolean {
  return status === 401 && body.includes('"UNAUTHENTICATED"');
}

function respondWith(res: Response, { status, headers, body }: Answer): void {
  res.status(status);
  for (const [name, value] of headers) {
    if (answeredHeaders.test(name)) {
      res.setHeader(name, value);
    }
  }
  res.set({ "Cache-Control": "no-store", "Content-Length": String(body.length) });
  res.end(body);
}

function abortedWhenGone(res: Response): AbortController {
  const controller = new AbortController();
  res.once("close", () => controller.abort());
  return controller;
}

function endWhenStopping(res: Response, stopping: AbortSignal): void {
  // Cuts the connection as a caller who leaves does. It is not a failure, and the page sends the request again.
  const end = (): void => void res.destroy();
  stopping.addEventListener("abort", end);
  res.once("close", () => stopping.removeEventListener("abort", end));
}

/** The bytes as received, or null. Refuses a body where none is expected, like the gateway. */
async function readCallBody(req: Request, { hasBody }: Pick<OperationPolicy, "hasBody">): Promise<Buffer | null> {
  const isSent = req.headers["transfer-encoding"] !== undefined || Number(req.headers["content-length"] ?? 0) > 0;
  if (!isSent) {
    return null;
  }
  if (!hasBody) {
    throw invalidField("body", "is not accepted by this operation; send none");
  }
  if (req.headers["content-encoding"] !== undefined) {
    throw new Problem("UNSUPPORTED_MEDIA_TYPE", "Send the body uncompressed.");
  }
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // A request without an encoding is a stream of buffers.
  for await (const chunk of req as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBodyBytes) {
      throw new Problem("PAYLOAD_TOO_LARGE", `The body is larger than ${maxBodyBytes} bytes.`, {
        // The rest of the body is not read.
        headers: { Connection: "close" },
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
