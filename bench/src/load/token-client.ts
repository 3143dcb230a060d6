import { createHash, randomBytes } from "node:crypto";
import { Pool } from "undici";

export type TokenClientOptions = {
  port: number;
  /** Cookie of a signed-in browser whose user has granted the application its scope. */
  cookie: string;
  applicationId: string;
  redirectUri: string;
  scope: string;
};

/**
 * Plays an application at the token endpoint, and before that its user's browser. Throws at any unexpected response.
 */
export interface TokenClient {
  /** Creates codes to exchange. They are valid for a minute. */
  authorize(count: number): Promise<string[]>;
  /**
   * Exchanges all codes, `atOnce` at a time. Returns a refresh token for each code and the number of exchanges per
   * second.
   */
  exchange(codes: readonly string[]): Promise<Outcome>;
  /** Refreshes each token `times` times in a row, all tokens concurrently. */
  refresh(tokens: readonly string[], times: number): Promise<Outcome>;
  close(): Promise<void>;
}

type Outcome = { refreshTokens: string[]; perSecond: number };

export const atOnce = 16;
const verifier = randomBytes(32).toString("base64url");

export function createTokenClient({ port, cookie, ...application }: TokenClientOptions): TokenClient {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: atOnce });
  const target = authorizeTarget(application);
  const authorizeOnce = async (): Promise<string> => {
    const { headers, body } = await pool.request({ method: "GET", path: target, headers: { cookie } });
    const page = await body.text();
    const code = new URL(String(headers["location"]), application.redirectUri).searchParams.get("code");
    if (code === null) {
      throw new Error(`No code: ${String(headers["location"])} ${page}`);
    }
    return code;
  };
  const ask = async (form: Record<string, string>): Promise<string> => {
    const { statusCode, body } = await pool.request({
      method: "POST",
      path: "/api/v1/token",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ client_id: application.applicationId, ...form }).toString(),
    });
    const answer = (await body.json()) as { refresh_token?: string };
    if (statusCode !== 200 || answer.refresh_token === undefined) {
      throw new Error(`${statusCode} ${JSON.stringify(answer)}`);
    }
    return answer.refresh_token;
  };
  const exchangeOnce = (code: string): Promise<string> =>
    ask({ grant_type: "authorization_code", code, redirect_uri: application.redirectUri, code_verifier: verifier });
  const refreshOften = async (first: string, times: number): Promise<string> => {
    let token = first;
    for (let turn = 0; turn < times; turn += 1) {
      token = await ask({ grant_type: "refresh_token", refresh_token: token });
    }
    return token;
  };
  return {
    authorize: (count) => inTurns(Array.from({ length: count }), authorizeOnce),
    exchange: (codes) => timed(codes.length, () => inTurns(codes, exchangeOnce)),
    refresh: (tokens, times) =>
      timed(tokens.length * times, () => Promise.all(tokens.map((token) => refreshOften(token, times)))),
    close: () => pool.close(),
  };
}

export function authorizeTarget({
  applicationId,
  redirectUri,
  scope,
}: Omit<TokenClientOptions, "port" | "cookie">): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: applicationId,
    redirect_uri: redirectUri,
    scope,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  });
  return `/api/v1/authorize?${query.toString()}`;
}

/** Runs `work` for each item, `atOnce` at a time. */
async function inTurns<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const runner = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      // The index is less than `items.length`.
      results[index] = await work(items[index] as Item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return results;
}

async function timed(count: number, work: () => Promise<string[]>): Promise<Outcome> {
  const startedAtMs = performance.now();
  const refreshTokens = await work();
  return { refreshTokens, perSecond: (count * 1000) / (performance.now() - startedAtMs) };
}
