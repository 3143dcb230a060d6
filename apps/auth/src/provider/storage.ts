import type { Clock } from "@gateway/kernel";
import { consoleApplication } from "@gateway/platform/accounts";
import type { NamedRecord, ProviderRecord } from "@gateway/platform/auth";
import type { Services } from "@gateway/platform/compose/may-call";
import { errors, type Adapter, type AdapterFactory, type ClientMetadata } from "oidc-provider";
import { clientMetadataOf, confidential } from "./client-metadata.ts";
import { createKnownClients } from "./known-clients.ts";
import type { OtherWrite } from "./pending-exchange.ts";
import type { Unit, UnitOfWork } from "./unit-of-work.ts";

/** Storage for everything that the library reads and writes: OAuth applications, grants, and its own records. */
export function createStorage(
  { current }: Pick<UnitOfWork, "current">,
  deps: { clock: Clock; consoleSecret: string | null },
): AdapterFactory {
  const findKnownClient = createKnownClients(deps);
  const loadClient = (id: string) => findClient(current().services, deps, id);
  return (model) => {
    const records = recordsOf(model, current);
    return model === "Client" ? { ...records, find: (id) => findKnownClient(id, loadClient) } : records;
  };
}

/**
 * Without a configured secret the console is not a client: its row in the database alone must not let users sign in.
 */
async function findClient(
  services: Services,
  { consoleSecret }: { consoleSecret: string | null },
  id: string,
): Promise<ClientMetadata | undefined> {
  const client = await services.accounts.oauthApplications.findClient(id);
  if (client?.id !== consoleApplication.id) {
    return client ? clientMetadataOf(client) : undefined;
  }
  return consoleSecret === null ? undefined : confidential(clientMetadataOf(client), consoleSecret);
}

function recordsOf(model: string, current: () => Unit): Adapter {
  /** Writes at once, or together with the rest of an exchange. */
  const write = async (work: OtherWrite): Promise<void> => {
    const { services, exchange } = current();
    if (exchange) {
      exchange.later(work);
    } else {
      await work(services);
    }
  };
  return {
    upsert: async (name, payload, expiresInSeconds) => {
      const { uid, grantId } = payload;
      // The name is the secret of a record, so the payload does not contain it.
      const rest = { ...payload, jti: undefined };
      const record = { model, name, payload: rest, uid, grantId, expiresInSeconds: expiresInSeconds ?? null };
      const { services, exchange } = current();
      await (exchange ? exchange.save(record) : services.auth.providerRecords.save(record));
    },
    find: async (name) => {
      const { services, exchange } = current();
      const known = exchange?.find({ model, name });
      const record = known === undefined ? await services.auth.providerRecords.find({ model, name }) : known;
      return record ? { ...record.payload, jti: name, ...consumedOf(record) } : undefined;
    },
    findByUid: async (uid) => {
      const record = await current().services.auth.providerRecords.findByUid({ model, uid });
      return record ? { ...record.payload, ...consumedOf(record) } : undefined;
    },
    findByUserCode: async () => undefined,
    consume: async (name) => consume(current(), { model, name }),
    destroy: (name) =>
      write((services) =>
        model === "Grant" ? endGrant(services, name) : services.auth.providerRecords.remove({ model, name }),
      ),
    revokeByGrantId: (grantId) => write(({ auth }) => auth.providerRecords.removeOfGrant({ model, grantId })),
  };
}

/** Marks a record as used. An exchange knows only at its end whether it was first. */
async function consume({ services, exchange }: Unit, named: NamedRecord): Promise<void> {
  if (exchange) {
    exchange.use(named);
  } else if (!(await services.auth.providerRecords.consume(named))) {
    throw new errors.InvalidGrant("it was used already");
  }
}

/** Ends the library's grant, which has the scopes, together with ours, which has the account. */
async function endGrant({ accounts, auth }: Services, id: string): Promise<void> {
  await accounts.grants.revoke(id);
  await auth.providerRecords.remove({ model: "Grant", name: id });
}

function consumedOf({ consumedAt }: ProviderRecord): { consumed?: number } {
  return consumedAt ? { consumed: Math.floor(consumedAt.getTime() / 1000) } : {};
}
