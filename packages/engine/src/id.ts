import type { IdPrefix } from "@gateway/contract";

/** Of what callers never see the id. Users are `sub` in tokens. */
type OwnPrefix = "fct" | "gap" | "mai" | "pft" | "ses" | "usr" | "wki" | "wri";

/** Makes an id whose prefix the document knows, or one of ours. Its time is Postgres', as all that is stored. */
export type CreateId = (prefix: IdPrefix | OwnPrefix) => string;
