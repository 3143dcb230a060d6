import { defaultLimits, type Limits } from "./call-options.ts";
import {
  headerCredential,
  tokenCredential,
  type AccessTokens,
  type AccessTokenSource,
  type Credential,
} from "./credential.ts";
import { servers } from "./generated/servers.ts";
import { services } from "./generated/services.ts";
import type { Hooks } from "./hooks.ts";
import type { ServiceUrls } from "./service-urls.ts";
import type { Fetch } from "./transport/exchange.ts";
import type { Sender } from "./transport/send.ts";

/** Exactly one of four. */
export type CredentialOptions =
  /** From server to server. Never in a browser: who can read it has the account. */
  | { apiKey: string; accessToken?: undefined; oauth?: undefined; session?: undefined }
  /** A token, or a function that is called before each call and again when its token is refused. */
  | { accessToken: AccessTokenSource; apiKey?: undefined; oauth?: undefined; session?: undefined }
  /** The result of `createOAuthSession`. */
  | { oauth: AccessTokens; apiKey?: undefined; accessToken?: undefined; session?: undefined }
  /**
   * For a page whose own server keeps the tokens and forwards calls, as the console's server does: its cookie, and no
   * secret in the page.
   */
  | { session: "cookie"; apiKey?: undefined; accessToken?: undefined; oauth?: undefined };

/** Exactly one of two. */
export type PlaceOptions =
  | { environment: "production" | "sandbox"; baseUrl?: undefined }
  /** The address of the gateway, without `/api/v1`. */
  | { baseUrl: string; environment?: undefined };

export type ClientOptions = CredentialOptions &
  PlaceOptions &
  Hooks &
  Partial<{ [Name in keyof Limits]: number | undefined }> & {
    /** Direct addresses, without `/api/v1`: operations of these services are sent there, all others to the gateway. */
    services?: ServiceUrls | undefined;
    /** Ends all calls. */
    signal?: AbortSignal | undefined;
    /** Replaces the platform's own. */
    fetch?: Fetch | undefined;
  };

const apiKeyPattern = /^gk_(test|live)_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/;

type Places = { baseUrl: string; serviceUrls: ServiceUrls };

/** Throws a TypeError that says what to change, and holds no secret. */
export function readOptions(options: ClientOptions): Omit<Sender, "deps" | "onAnswer"> & Places {
  return {
    credential: readCredential(options),
    baseUrl: readBaseUrl(options),
    serviceUrls: readServiceUrls(options),
    limits: readLimits(options),
    signal: options.signal,
    hooks: options,
    // Looked up at each call, so that what replaces the platform's fetch later is used too.
    fetch: options.fetch ?? ((url, init) => fetch(url, init)),
  };
}

function readCredential({ apiKey, accessToken, oauth, session, environment }: ClientOptions): Credential {
  const given = [apiKey, accessToken, oauth, session].filter((one) => one !== undefined);
  demand(given.length === 1, `takes one of apiKey, accessToken, oauth and session, not ${given.length}`);
  if (oauth) {
    return tokenCredential((refused) => oauth.accessToken(refused));
  }
  if (session) {
    return headerCredential("X-Console", "1");
  }
  if (accessToken !== undefined) {
    demand(accessToken !== "", "needs an accessToken that is not empty");
    return tokenCredential(accessToken);
  }
  const key = apiKey ?? "";
  const [, kind] = apiKeyPattern.exec(key) ?? [];
  demand(kind, "needs an apiKey of the form gk_test_… or gk_live_…, copied whole");
  const place = kind === "live" ? "production" : "sandbox";
  demand(!environment || environment === place, `has a gk_${kind}_ key, which opens ${place}, not ${environment}`);
  return headerCredential("X-API-Key", key);
}

function readBaseUrl({ environment, baseUrl }: ClientOptions): string {
  demand((environment === undefined) !== (baseUrl === undefined), "takes one of environment and baseUrl");
  return readUrl(environment === undefined ? baseUrl : servers[environment], "a baseUrl");
}

function readServiceUrls({ services: urls = {} }: ClientOptions): ServiceUrls {
  const given = Object.entries(urls).filter(([, url]) => url !== undefined);
  return Object.fromEntries(
    given.map(([name, url]) => {
      demand(Object.hasOwn(services, name), `knows no service ${name}, but ${Object.keys(services).join(", ")}`);
      return [name, readUrl(url, `an address of ${name}`)];
    }),
  );
}

function readUrl(text: string | undefined, what: string): string {
  const url = parseUrl(text ?? "");
  demand(
    url && /^https?:$/.test(url.protocol) && !url.search && !url.hash,
    `needs ${what} such as https://api.example.com`,
  );
  return url?.href ?? "";
}

/** `URL.canParse` would say it without throwing, but Safari has it only since 17. */
function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function readLimits(options: ClientOptions): Limits {
  const limits = { ...defaultLimits };
  for (const name of ["timeoutMs", "tryTimeoutMs", "maxRetries"] as const) {
    limits[name] = options[name] ?? limits[name];
    demand(limits[name] >= 0, `needs a ${name} from 0`);
  }
  return limits;
}

function demand(isMet: unknown, text: string): void {
  if (!isMet) {
    throw new TypeError(`createClient ${text}.`);
  }
}
