import type { IdPrefix } from "@gateway/contract";

/** Prefixes of ids that callers never see. A user's id is only seen as `sub` in tokens. */
type OwnPrefix = "fct" | "gap" | "mai" | "pft" | "ses" | "usr" | "wki" | "wri";

/** Makes an id with a prefix of the document or an own prefix. Its time is Postgres', like that of all stored data. */
export type CreateId = (prefix: IdPrefix | OwnPrefix) => string;
