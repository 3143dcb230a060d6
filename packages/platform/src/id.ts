import type { IdPrefix } from "@gateway/contract";
import { createTypeId } from "@gateway/kernel";

/** Of what callers never see the id: mails, sessions. Users are `sub` in tokens. */
type OwnPrefix = "mai" | "ses" | "usr";

/** A new id whose prefix the document knows, or one of ours. */
export function createId(prefix: IdPrefix | OwnPrefix): string {
  return createTypeId(prefix);
}
