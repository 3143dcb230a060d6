import type { Clock } from "@gateway/kernel";
import {
  presentAccount,
  presentApiKey,
  presentOauthApplication,
  presentPerson,
  type Account,
} from "../accounts/index.ts";
import {
  presentAddressBookEntry,
  presentApproval,
  presentDeposit,
  presentDepositAddress,
  presentTransfer,
} from "../custody/index.ts";
import { presentDelivery, presentWebhook } from "../events/index.ts";
import { presentFill, presentOrder } from "../execution/index.ts";
import { presentKycVerification } from "../identity/index.ts";
import { presentLedgerAccount, presentLedgerTransaction, presentWallet } from "../ledger/index.ts";
import { presentCounterparty, presentPayment } from "../orchestra/index.ts";
import { presentValuation } from "../portfolio/index.ts";
import { presentKeptRequest, type RequestLog, type RequestLogs } from "../request-log/index.ts";
import type { Page, PageRequest } from "@gateway/engine/page";
import type { Services } from "../compose/may-call.ts";

const pageSize = 50;

/** Everything that an account owns, as the API presents it, in one JSON text made page by page. It holds no secrets. */
export async function* exportAccount(
  {
    accounts,
    custody,
    events,
    execution,
    identity,
    ledger,
    orchestra,
    portfolio,
    requestLog,
  }: Pick<
    Services,
    "accounts" | "custody" | "events" | "execution" | "identity" | "ledger" | "orchestra" | "portfolio" | "requestLog"
  >,
  { account, livemode, clock }: { account: Account; livemode: boolean; clock: Clock },
): AsyncGenerator<string> {
  const nowMs = clock.now();
  const { id: accountId } = account;
  const lists = {
    people: pagesOf(accountId, accounts.people, presentPerson),
    apiKeys: pagesOf(accountId, accounts.apiKeys, (key) => presentApiKey(key, nowMs)),
    oauthApplications: pagesOf(accountId, accounts.oauthApplications, presentOauthApplication),
    wallets: pagesOf(accountId, ledger.wallets, presentWallet),
    ledgerAccounts: pagesOf(accountId, ledger.accounts, presentLedgerAccount),
    ledgerTransactions: pagesOf(accountId, ledger.transactions, presentLedgerTransaction),
    counterparties: pagesOf(accountId, orchestra.counterparties, presentCounterparty),
    kycVerifications: pagesOf(accountId, identity.verifications, presentKycVerification),
    payments: pagesOf(accountId, orchestra.payments, presentPayment),
    depositAddresses: pagesOf(accountId, custody.depositAddresses, presentDepositAddress),
    deposits: pagesOf(accountId, custody.deposits, presentDeposit),
    transfers: pagesOf(accountId, custody.transfers, presentTransfer),
    approvals: pagesOf(accountId, custody.approvals, presentApproval),
    addressBook: pagesOf(accountId, custody.addressBook, presentAddressBookEntry),
    orders: pagesOf(accountId, execution.orders, presentOrder),
    fills: pagesOf(accountId, execution.fills, presentFill),
    // The identity provider runs exports and has no source of prices, so only stored valuations are read.
    valuations: pagesOf(accountId, { list: portfolio.valuations.listKept }, presentValuation),
    webhooks: pagesOf(accountId, events.webhooks, (webhook) => presentWebhook(webhook, nowMs)),
    events: pagesOf(accountId, events, (event) => event),
    deliveries: pagesOf(accountId, events.deliveries, presentDelivery),
    requestLogs: pagesOf(accountId, allRequests(requestLog), presentKeptRequest),
  };
  yield `{"exportedAt":${JSON.stringify(new Date(nowMs))},"account":${JSON.stringify(presentAccount(account, { livemode, clock }))}`;
  for (const [name, pages] of Object.entries(lists)) {
    yield `,\n"${name}":[`;
    let separator = "";
    for await (const items of pages) {
      yield `${separator}\n${items.map((item) => JSON.stringify(item)).join(",\n")}`;
      separator = ",";
    }
    yield "]";
  }
  yield "}\n";
}

function allRequests(requestLog: RequestLogs): { list(request: RequestOfPage): Promise<Page<RequestLog>> } {
  return { list: ({ accountId, limit, cursor }) => requestLog.list({ accountId, onlyOf: null, limit, cursor }) };
}

type RequestOfPage = { accountId: string } & PageRequest;

async function* pagesOf<Item>(
  accountId: string,
  noun: { list(request: { accountId: string } & PageRequest): Promise<Page<Item>> },
  present: (item: Item) => object,
): AsyncGenerator<object[]> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await noun.list({ accountId, limit: pageSize, cursor });
    if (items.length > 0) {
      yield items.map((item) => present(item));
    }
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}
