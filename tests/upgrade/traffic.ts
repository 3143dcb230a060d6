import { setTimeout as delay } from "node:timers/promises";

const maxRetries = 3;

export type Call = { method?: "GET" | "POST" | "PATCH"; path: string; body?: object };

export type Traffic = {
  /** Answers that were not 2xx, and requests that got none; but for a 503 that says when to ask again, and was answered well in the end. */
  failures(): string[];
  count(): number;
  /** The longest time without a 2xx to any of the clients. */
  longestGapMs(): number;
  /** Waits for what is under way. */
  stop(): Promise<void>;
};

export type TrafficOptions = {
  url: string;
  key: string;
  clients: number;
  pauseMs: number;
  calls: (number: number) => Call;
};

/** Clients that ask one thing after the other. The number of a call is its own among all of them. */
export function startTraffic({ url, key, clients, pauseMs, calls }: TrafficOptions): Traffic {
  const failures: string[] = [];
  let count = 0;
  let answeredAt = performance.now();
  let longestGapMs = 0;
  let isStopping = false;
  const note = (): void => {
    const now = performance.now();
    longestGapMs = Math.max(longestGapMs, now - answeredAt);
    answeredAt = now;
  };
  const client = async (): Promise<void> => {
    while (!isStopping) {
      count += 1;
      const call = calls(count);
      const failure = await sendAsAClient(url, key, call);
      if (failure === null) {
        note();
      } else {
        failures.push(`${call.method ?? "GET"} ${call.path}: ${failure}`);
      }
      await delay(pauseMs);
    }
  };
  const running = Array.from({ length: clients }, client);
  return {
    failures: () => failures,
    count: () => count,
    longestGapMs: () => longestGapMs,
    stop: async () => {
      isStopping = true;
      await Promise.all(running);
      note();
    },
  };
}

/** As often as our client does by default (`maxRetries`): what was not done, for it could not be right now, is asked for again. */
async function sendAsAClient(url: string, key: string, call: Call): Promise<string | null> {
  for (let retries = 0; ; retries += 1) {
    const failure = await send(url, key, call);
    if (!failure?.startsWith("503 ") || retries === maxRetries) {
      return failure;
    }
    await delay(1_000);
  }
}

/** Null after a 2xx. */
async function send(url: string, key: string, { method = "GET", path, body }: Call): Promise<string | null> {
  try {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return answer.ok ? null : `${answer.status} ${text}`;
  } catch (error) {
    return String(error);
  }
}
