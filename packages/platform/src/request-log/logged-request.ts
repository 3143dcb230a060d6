/** The caller: an API key, an application for a person, or a person at the console. */
export type RequestCaller = {
  kind: "apiKey" | "application" | "person";
  /** Id of the API key, the application, or the person. */
  id: string;
  /** Null for a key. */
  personId: string | null;
};

export type RequestSource = "api" | "console";

/** A request as it is written. It contains no secret, no value of a body, and no address. */
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

/** Requests that could not be kept, from the first to the last. `accountId` null: unknown; `count` null: unknown. */
export type LostRequests = { accountId: string | null; fromMs: number; toMs: number; count: number | null };
