import type { Limits, PostOptions } from "../call-options.ts";
import type { Opened } from "../call-promise.ts";
import type { Credential } from "../credential.ts";
import { ConnectionError } from "../errors/answer-errors.ts";
import { errorOfAnswer } from "../errors/error-of-answer.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { callHook, type Hooks, type RequestEvent } from "../hooks.ts";
import { randomText } from "../random-text.ts";
import { demandedMaxAge } from "./demanded-max-age.ts";
import type { Deps } from "./deps.ts";
import { exchange, type Answer, type Fetch } from "./exchange.ts";
import { nameOf } from "./name-of.ts";
import { onAbort } from "./on-abort.ts";
import { retryDelayMs } from "./retry-delay.ts";

/** One logical call, ready to be sent as often as it takes. */
export type Outgoing = Omit<PostOptions, "headers"> & {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers: Headers;
  body: string | undefined;
};

type Envelope = Pick<Opened<unknown>, "data" | "meta">;

export type Sender = {
  fetch: Fetch;
  credential: Credential;
  limits: Limits;
  signal: AbortSignal | undefined;
  hooks: Hooks;
  deps: Deps;
  /** Sees the headers of every response. */
  onAnswer(headers: Headers): void;
};

type Call = {
  sender: Sender;
  outgoing: Outgoing;
  signals: AbortSignal[];
  limits: Limits;
  endsAtMs: number;
  tryNumber: number;
};

/** Tries until there is a success, or a failure that will not pass, or no time or try is left. */
export async function send(sender: Sender, outgoing: Outgoing): Promise<Opened<unknown>> {
  const call = beginCall(sender, outgoing);
  for (; ; call.tryNumber += 1) {
    try {
      return await tryOnce(call);
    } catch (error) {
      if (!(error instanceof GatewayError)) {
        throw error;
      }
      error.tries = call.tryNumber;
      const delayMs = retryDelayMs(error, call.tryNumber, sender.deps.random);
      if (delayMs === null || call.tryNumber > call.limits.maxRetries || sender.deps.now() + delayMs >= call.endsAtMs) {
        throw error;
      }
      callHook(sender.hooks.onRetry, { ...watched(call), error, delayMs });
      await sender.deps.sleep(delayMs, call.signals);
    }
  }
}

/** The idempotency key is chosen here, once: all tries carry the same. */
function beginCall(sender: Sender, outgoing: Outgoing): Call {
  const { method, headers, signal } = outgoing;
  if (method === "POST" && !headers.has(idempotencyKey)) {
    headers.set(idempotencyKey, outgoing.idempotencyKey ?? randomText());
  }
  const { timeoutMs, tryTimeoutMs, maxRetries } = sender.limits;
  const limits = {
    timeoutMs: outgoing.timeoutMs ?? timeoutMs,
    tryTimeoutMs: outgoing.tryTimeoutMs ?? tryTimeoutMs,
    maxRetries: outgoing.maxRetries ?? maxRetries,
  };
  return {
    sender,
    outgoing,
    signals: [sender.signal, signal].filter((one) => one !== undefined),
    limits,
    endsAtMs: sender.deps.now() + limits.timeoutMs,
    tryNumber: 1,
  };
}

const idempotencyKey = "Idempotency-Key";

/** Asks once for a better token when one is refused, because it may have expired on the way. */
async function tryOnce(call: Call): Promise<Opened<unknown>> {
  const { credential } = call.sender;
  const given = credential.get();
  // An existing value is not awaited: every call passes here.
  const first = typeof given === "string" ? given : await orAborted(given, call.signals);
  const answer = await sendWith(call, first);
  if (answer.response.status !== 401 || demandedMaxAge(answer.response.headers) !== null) {
    return openAnswer(call, answer);
  }
  const renewed = await orAborted(credential.get(first), call.signals);
  return openAnswer(call, renewed === first ? answer : await sendWith(call, renewed));
}

async function sendWith(call: Call, secret: string): Promise<Answer> {
  const { sender, outgoing, signals, limits, endsAtMs } = call;
  const { url, method, headers, body } = outgoing;
  headers.set(...sender.credential.header(secret));
  callHook(sender.hooks.onRequest, watched(call));
  const startedAtMs = sender.deps.now();
  const timeoutMs = Math.min(limits.tryTimeoutMs, endsAtMs - startedAtMs);
  const answer = await exchange(sender.fetch, { method, url, headers, body, timeoutMs, signals });
  const { response } = answer;
  sender.onAnswer(response.headers);
  callHook(sender.hooks.onResponse, {
    ...watched(call),
    status: response.status,
    requestId: response.headers.get("X-Request-Id"),
    headers: response.headers,
    durationMs: sender.deps.now() - startedAtMs,
  });
  return answer;
}

/** The view that hooks get of a call. */
function watched({ outgoing: { method, url, headers }, tryNumber }: Call): RequestEvent {
  return { method, url, idempotencyKey: headers.get(idempotencyKey), tryNumber };
}

/** Lets an aborted call not wait for its token. The renewal goes on, because others wait for it too. */
function orAborted(token: string | Promise<string>, signals: readonly AbortSignal[]): string | Promise<string> {
  if (signals.length === 0) {
    return token;
  }
  return new Promise((resolve, reject) => {
    // The caller's own reason is thrown to the caller.
    const stop = onAbort(signals, (reason) => reject(reason as Error));
    void Promise.resolve(token).then(resolve, reject).finally(stop);
  });
}

function openAnswer({ outgoing }: Call, { response, text }: Answer): Opened<unknown> {
  const body = parseJson(text);
  const { status, headers } = response;
  if (response.ok && isEnvelope(body)) {
    return { ...body, response };
  }
  const name = nameOf(outgoing);
  if (!response.ok) {
    throw errorOfAnswer(name, response, body);
  }
  throw headers.get("Content-Type")?.includes("json") && body === undefined
    ? new ConnectionError(`${name}: the response broke off.`, { status, code: "CONNECTION_FAILED", headers })
    : new GatewayError(`${name}: ${status}, not a response of the gateway.`, {
        status,
        code: "INVALID_ANSWER",
        headers,
      });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEnvelope(body: unknown): body is Envelope {
  // Object turns a value that is not an object into one without these fields.
  const { data, meta } = Object(body) as Partial<Envelope>;
  return data !== undefined && meta !== undefined;
}
