import type { Schemas } from "@gateway/contract";
import type { Immutable, NullableColumn } from "@gateway/database";
import type { ColumnType } from "kysely";

export type IdentityTables = {
  kyc_verifications: KycVerificationsTable;
};

export type KycStatus = Schemas["KycVerification"]["status"];
export type KycRejectionCode = NonNullable<Schemas["KycVerification"]["rejectionCode"]>;
export type KycCheck = Schemas["KycVerification"]["checks"][number];
export type KycDecidedBy = NonNullable<Schemas["KycVerification"]["decidedBy"]>;

export type KycVerificationsTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  /** '': none. */
  reference: ColumnType<string, string, string>;
  external_id: NullableColumn<string>;
  status: KycStatus;
  /** Written as JSON text, as all that is JSON here: the driver would take an array for a Postgres array. */
  checks: ColumnType<KycCheck[], string, string>;
  rejection_code: NullableColumn<KycRejectionCode>;
  previous_id: NullableColumn<string>;
  personal: NullableColumn<Buffer>;
  reason: NullableColumn<Buffer>;
  personal_deleted_at: NullableColumn<Date>;
  review_until: NullableColumn<Date>;
  decided_by: ColumnType<KycDecidedBy | null, string | null | undefined, string | null>;
  decided_at: NullableColumn<Date>;
  valid_until: NullableColumn<Date>;
  metadata: ColumnType<Record<string, string>, string, string>;
  created_at: Immutable<Date>;
};
