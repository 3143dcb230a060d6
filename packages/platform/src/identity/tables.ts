import type { Schemas } from "@gateway/contract";
import type { Immutable, JsonColumn, MetadataColumn, NullableColumn } from "@gateway/database";
import type { ColumnType } from "kysely";

export type IdentityTables = {
  kyc_verifications: KycVerificationsTable;
};

export type KycStatus = Schemas["KycVerification"]["status"];
export type KycRejectionCode = NonNullable<Schemas["KycVerification"]["rejectionCode"]>;
export type KycCheck = Schemas["KycVerification"]["checks"][number];
export type KycDecidedBy = NonNullable<Schemas["KycVerification"]["decidedBy"]>;

type KycVerificationsTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  /** '': none. */
  reference: ColumnType<string, string, string>;
  external_id: NullableColumn<string>;
  status: KycStatus;
  checks: JsonColumn<KycCheck[]>;
  rejection_code: NullableColumn<KycRejectionCode>;
  previous_id: NullableColumn<string>;
  personal: NullableColumn<Buffer>;
  reason: NullableColumn<Buffer>;
  personal_deleted_at: NullableColumn<Date>;
  review_until: NullableColumn<Date>;
  decided_by: ColumnType<KycDecidedBy | null, string | null | undefined, string | null>;
  decided_at: NullableColumn<Date>;
  valid_until: NullableColumn<Date>;
  metadata: MetadataColumn;
  created_at: Immutable<Date>;
};
