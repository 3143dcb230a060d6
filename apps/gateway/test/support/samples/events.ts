import { maxWebhooksOfAccount, type Delivery, type Webhook } from "@gateway/platform/events";
import { spareOf, type Owner, type ServiceSamples } from "./sample-owner.ts";

export const eventsSamples: ServiceSamples = {
  makers: {
    dlv: createDelivery,
    evt: async (owner) => ({ id: (await createDelivery(owner)).eventId }),
    whk: createWebhook,
  },
  makeRoom: async ({ service }, owner) => {
    if (service === "events") {
      await makeRoomForWebhook(owner);
    }
  },
};

function createWebhook({ platform, accountId }: Owner): Promise<Webhook> {
  const url = "https://hooks.example.com/in";
  return platform.transaction(({ events }) =>
    events.webhooks.create({ accountId, url, events: ["wallet.created"], description: null }),
  );
}

/** A delivery of a test event, which needs no change in the account. */
async function createDelivery({ platform, accountId }: Owner): Promise<Delivery> {
  const { id: webhookId } = await createWebhook({ platform, accountId });
  const delivery = await platform.inAccount(accountId, ({ events }) =>
    events.deliveries.sendTest({ webhookId, accountId, type: "wallet.created" }),
  );
  if (!delivery) {
    throw new Error(`The webhook ${webhookId} is gone.`);
  }
  return delivery;
}

async function makeRoomForWebhook({ platform, accountId }: Owner): Promise<void> {
  const { items } = await platform.events.webhooks.list({ accountId, limit: maxWebhooksOfAccount, cursor: undefined });
  const spare = spareOf(items, maxWebhooksOfAccount);
  await Promise.all(spare.map((id) => platform.events.webhooks.delete({ id, accountId })));
}
