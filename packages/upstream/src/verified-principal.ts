/** Ids that name the caller, without secrets. `service`: one of the gateway's own services calls. */
export type VerifiedCredential =
  | { kind: "apiKey"; apiKeyId: string }
  | { kind: "accessToken"; grantId: string; personId: string; applicationId: string }
  | { kind: "service"; service: string };

/** The caller, as the gateway has verified it. It has checked that `permission` is enough for the operation. */
export type VerifiedPrincipal = {
  accountId: string;
  permission: "read" | "write" | "admin" | null;
  credential: VerifiedCredential;
  /** Whether it is production's. */
  livemode: boolean;
  /** Also the header `X-Request-Id`. */
  requestId: string;
};
