import type { Limits, PostOptions } from "../call-options.ts";
import type { Credential } from "../credential.ts";
import { ConnectionError } from "../errors/answer-errors.ts";
import { errorOfAnswer } from "../errors/error-of-answer.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { randomText } from "../random-text.ts";
import type { Deps } from "./deps.ts";
import { exchange, type Answer, type Fetch } from "./exchange.ts";
import { nameOf } from "./name-of.ts";
import { retryDelayMs } from "./retry-delay.ts";

/** One logical call, ready to be sent as often as it takes. */
export type Outgoing = Omit<PostOptions, "headers"> & {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  url: string;
  headers: Headers;
  body: string | undefined;
};

type Envelope = { data: unknown; meta: unknown };

/** The envelope of a success, and the answer that it came in, whose body is read. */
export type Sent = Envelope & { response: Response };

export type Sender = {
  fetch: Fetch;
  credential: Credential;
  limits: Limits;
  signal: AbortSignal | undefined;
  deps: Deps;
  /** Sees the headers of every answer. */
  onAnswer(headers: Headers): void;
};

type Call = { sender: Sender; outgoing: Outgoing; signals: AbortSignal[]; limits: Limits; endsAtMs: number };

/** Tries until there is a success, or a failure that will not pass, or no time or try is left. */
export async function send(sender: Sender, outgoing: Outgoing): Promise<Sent> {
  const call = beginCall(sender, outgoing);
  for (let tryNumber = 1; ; tryNumber += 1) {
    try {
      return await tryOnce(call);
    } catch (error) {
      if (!(error instanceof GatewayError)) {
        throw error;
      }
      error.tries = tryNumber;
      const delayMs = retryDelayMs(error, tryNumber, sender.deps.random);
      if (delayMs === null || tryNumber > call.limits.maxRetries || sender.deps.now() + delayMs >= call.endsAtMs) {
        throw error;
      }
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
  };
}

const idempotencyKey = "Idempotency-Key";

/** A token that is refused is asked for again, once: it may have run out on the way, and be renewed by now. */
async function tryOnce(call: Call): Promise<Sent> {
  const { credential } = call.sender;
  const given = credential.get();
  // What is there already is not waited for: this is on the way of every call.
  const first = typeof given === "string" ? given : await orAborted(given, call.signals);
  const answer = await sendWith(call, first);
  if (answer.response.status !== 401) {
    return openAnswer(call, answer);
  }
  const renewed = await orAborted(credential.get(first), call.signals);
  return openAnswer(call, renewed === first ? answer : await sendWith(call, renewed));
}

function sendWith({ sender, outgoing, signals, limits, endsAtMs }: Call, secret: string): Promise<Answer> {
  const { url, method, headers, body } = outgoing;
  headers.set(...sender.credential.header(secret));
  const timeoutMs = Math.min(limits.tryTimeoutMs, endsAtMs - sender.deps.now());
  return exchange(sender.fetch, { method, url, headers, body, timeoutMs, signals });
}

/** A token that does not come must not hold up a call that was aborted. The renewal itself goes on, for others wait for it too. */
function orAborted(token: string | Promise<string>, signals: readonly AbortSignal[]): string | Promise<string> {
  if (signals.length === 0) {
    return token;
  }
  const signal = AbortSignal.any([...signals]);
  return Promise.race([
    token,
    new Promise<never>((_resolve, reject) => {
      // Whatever the caller gave as the reason is what the caller gets.
      const abort = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", abort);
      if (signal.aborted) {
        abort();
      }
    }),
  ]);
}

function openAnswer({ sender, outgoing }: Call, { response, text }: Answer): Sent {
  sender.onAnswer(response.headers);
  const body = parseJson(text);
  const { status, headers } = response;
  if (response.ok && isEnvelope(body)) {
    return { data: body.data, meta: body.meta, response };
  }
  const name = nameOf(outgoing);
  if (!response.ok) {
    throw errorOfAnswer(name, response, body);
  }
  throw headers.get("Content-Type")?.includes("json") && body === undefined
    ? new ConnectionError(`${name}: the answer broke off.`, { status, code: "CONNECTION_FAILED", headers })
    : new GatewayError(`${name}: ${status}, and not an answer of the gateway.`, {
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
  const { data, meta } = Object(body) as Partial<Envelope>;
  return data !== undefined && meta !== undefined;
}
