/** Who called: an API key, an application for a person, or a person at the console. */
export type RequestCaller = {
  kind: "apiKey" | "application" | "person";
  /** Of the API key, the application, or the person. */
  id: string;
  /** Null of a key. */
  personId: string | null;
};

export type RequestSource = "api" | "console";

/** One request as it is written: nothing in it is a secret, a value of a body, or an address. */
export type LoggedRequest = {
  id: string;
  accountId: string;
  method: string;
  path: string;
  /** `limit=20&status=active` */
  query: string | null;
  operationId: string | null;
  status: number;
  code: string | null;
  durationMs: number;
  caller: RequestCaller;
  source: RequestSource;
  isReplayed: boolean;
  isAnswered: boolean;
  /** JSON. */
  details: string | null;
  rateLimit: { limit: number; remaining: number; resetsAtMs: number } | null;
  requestBytes: number | null;
  responseBytes: number | null;
  userAgent: string | null;
};

/** What could not be kept, from the first to the last. `accountId` null: of whom is not known; `count`: how many. */
export type LostRequests = { accountId: string | null; fromMs: number; toMs: number; count: number | null };
