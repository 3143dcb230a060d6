const maxRetries = 3;

export type Call = { method?: "GET" | "POST" | "PATCH"; path: string; body?: object };

export type Traffic = {
  /**
   * Responses that were not 2xx, and requests without a response. A 503 that said when to retry is left out when a
   * retry succeeded.
   */
  failures(): string[];
  count(): number;
  /** Waits for the requests in flight. */
  stop(): Promise<void>;
};

export type TrafficOptions = {
  url: string;
  key: string;
  clients: number;
  /** Called after each call. */
  pause(): Promise<void>;
  /** Called before a refused call is repeated. */
  pauseBeforeRetry(): Promise<void>;
  /** Called when a client gets a 2xx. */
  onSuccess?(): void;
  calls: (number: number) => Call;
};

/** Starts clients that send one call after the other. The number of a call is unique among all of them. */
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

/** Retries a 503 as often as our client does by default (`maxRetries`), because the call was not performed. */
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
