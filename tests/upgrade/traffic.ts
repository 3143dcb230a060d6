const maxRetries = 3;

export type Call = { method?: "GET" | "POST" | "PATCH"; path: string; body?: object };

export type Traffic = {
  /**
   * Answers that were not 2xx, and requests that got none; but for a 503 that says when to ask again, and was answered
   * well in the end.
   */
  failures(): string[];
  count(): number;
  /** Waits for what is under way. */
  stop(): Promise<void>;
};

export type TrafficOptions = {
  url: string;
  key: string;
  clients: number;
  /** After each call. */
  pause(): Promise<void>;
  /** Before what was not done is asked for again. */
  pauseBeforeRetry(): Promise<void>;
  /** A 2xx came to one of the clients. */
  onSuccess?(): void;
  calls: (number: number) => Call;
};

/** Clients that ask one thing after the other. The number of a call is its own among all of them. */
export function startTraffic({ clients, calls, ...options }: TrafficOptions): Traffic {
  const failures: string[] = [];
  let count = 0;
  let isStopping = false;
  const client = async (): Promise<void> => {
    while (!isStopping) {
      count += 1;
      const call = calls(count);
      const failure = await sendAsAClient(options, call);
      if (failure === null) {
        options.onSuccess?.();
      } else {
        failures.push(`${call.method ?? "GET"} ${call.path}: ${failure}`);
      }
      await options.pause();
    }
  };
  const running = Array.from({ length: clients }, client);
  return {
    failures: () => failures,
    count: () => count,
    stop: async () => {
      isStopping = true;
      await Promise.all(running);
    },
  };
}

/**
 * As often as our client does by default (`maxRetries`): what was not done, for it could not be right now, is asked for
 * again.
 */
async function sendAsAClient(
  { url, key, pauseBeforeRetry }: Omit<TrafficOptions, "clients" | "calls">,
  call: Call,
): Promise<string | null> {
  for (let retries = 0; ; retries += 1) {
    const failure = await send(url, key, call);
    if (!failure?.startsWith("503 ") || retries === maxRetries) {
      return failure;
    }
    await pauseBeforeRetry();
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
