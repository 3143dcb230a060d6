import type { Migration } from "kysely/migration";
import { accountsKeysWallets } from "./0001_accounts_keys_wallets.ts";
import { webhooks } from "./0002_webhooks.ts";
import { identity } from "./0003_identity.ts";
import { gatewayNow } from "./0004_gateway_now.ts";
import { deliveryQueue } from "./0005_delivery_queue.ts";
import { sealedProbe } from "./0006_sealed_probe.ts";
import { listIndexes } from "./0007_list_indexes.ts";
import { partitions } from "./0008_partitions.ts";
import { failedWebhooks } from "./0009_failed_webhooks.ts";
import { oldPendingMovesAtCommit } from "./0010_old_pending_moves_at_commit.ts";
import { grantPermission } from "./0011_grant_permission.ts";
import { emailKeys } from "./0012_email_keys.ts";
import { redirectOriginsChanged } from "./0013_redirect_origins_changed.ts";
import { notices } from "./0015_notices.ts";
import { secondFactors } from "./0016_second_factors.ts";
import { whatPeopleOwn } from "./0017_what_people_own.ts";
import { auditLog } from "./0018_audit_log.ts";
import { ledger } from "./0019_ledger.ts";
import { work } from "./0020_work.ts";
import { sandboxClock } from "./0021_sandbox_clock.ts";
import { peopleOnly } from "./0022_people_only.ts";
import { counterparties } from "./0023_counterparties.ts";
import { createdBy } from "./0024_created_by.ts";
import { plannedFacts } from "./0025_planned_facts.ts";
import { kyc } from "./0026_kyc.ts";
import { deposits } from "./0027_deposits.ts";
import { transfers } from "./0028_transfers.ts";
import { payments } from "./0029_payments.ts";
import { createdIndexes } from "./0030_created_indexes.ts";
import { formerPeople } from "./0031_former_people.ts";
import { priceOverrides } from "./0032_price_overrides.ts";
import { priceRounds } from "./0033_price_rounds.ts";
import { orders } from "./0034_orders.ts";
import { portfolio } from "./0035_portfolio.ts";
import { upstreams } from "./0036_upstreams.ts";
import { requestLog } from "./0038_request_log.ts";
import { following } from "./0037_following.ts";
import { keptPrices } from "./0045_kept_prices.ts";
import { fewerRoundTrips } from "./0046_fewer_round_trips.ts";
import { loggedRequest } from "./0047_logged_request.ts";
import { refusedRequests } from "./0048_refused_requests.ts";
import { followNumbers } from "./0049_follow_numbers.ts";
import { accountNumberIndex } from "./0055_account_number_index.ts";
import { sixApprovals } from "./0056_six_approvals.ts";
import { complianceSum } from "./0057_compliance_sum.ts";
import { consoleSessions } from "./0041_console_sessions.ts";
import { webhookOperators } from "./0039_webhook_operators.ts";
import { accountScreens } from "./0040_account_screens.ts";

/**
 * Every migration by name, in order. Append only: a migration that has run anywhere is never edited, renamed or removed,
 * and each must leave the tables usable by the release before it, because replicas are replaced one after another.
 */
export const migrations: Record<string, Migration> = {
  "0001_accounts_keys_wallets": accountsKeysWallets,
  "0002_webhooks": webhooks,
  "0003_identity": identity,
  "0004_gateway_now": gatewayNow,
  "0005_delivery_queue": deliveryQueue,
  "0006_sealed_probe": sealedProbe,
  "0007_list_indexes": listIndexes,
  "0008_partitions": partitions,
  "0009_failed_webhooks": failedWebhooks,
  "0010_old_pending_moves_at_commit": oldPendingMovesAtCommit,
  "0011_grant_permission": grantPermission,
  "0012_email_keys": emailKeys,
  "0013_redirect_origins_changed": redirectOriginsChanged,
  "0015_notices": notices,
  "0016_second_factors": secondFactors,
  "0017_what_people_own": whatPeopleOwn,
  "0018_audit_log": auditLog,
  "0019_ledger": ledger,
  "0020_work": work,
  "0021_sandbox_clock": sandboxClock,
  "0022_people_only": peopleOnly,
  "0023_counterparties": counterparties,
  "0024_created_by": createdBy,
  "0025_planned_facts": plannedFacts,
  "0026_kyc": kyc,
  "0027_deposits": deposits,
  "0028_transfers": transfers,
  "0029_payments": payments,
  "0030_created_indexes": createdIndexes,
  "0031_former_people": formerPeople,
  "0032_price_overrides": priceOverrides,
  "0033_price_rounds": priceRounds,
  "0034_orders": orders,
  "0035_portfolio": portfolio,
  "0036_upstreams": upstreams,
  "0037_following": following,
  "0038_request_log": requestLog,
  "0039_webhook_operators": webhookOperators,
  "0040_account_screens": accountScreens,
  "0041_console_sessions": consoleSessions,
  "0045_kept_prices": keptPrices,
  "0046_fewer_round_trips": fewerRoundTrips,
  "0047_logged_request": loggedRequest,
  "0048_refused_requests": refusedRequests,
  "0049_follow_numbers": followNumbers,
  "0055_account_number_index": accountNumberIndex,
  "0056_six_approvals": sixApprovals,
  "0057_compliance_sum": complianceSum,
};
