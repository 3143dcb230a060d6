import type { Role } from "@gateway/contract/permissions";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Person } from "../../apps/auth/test/support/test-auth.ts";
import { createHands, type ConsoleHands } from "./console-hands.ts";
import { startConsolePage, type AccountApi, type ConsolePage } from "./console-page.ts";

type ConsoleOptions = NonNullable<Parameters<typeof startConsolePage>[1]>;

export type VisitOptions = ConsoleOptions & {
  /** One account and one page for all tests, in the place of new ones for each. */
  isShared?: boolean;
  /** The tests sign in themselves. */
  isSignedOut?: boolean;
  /** People enter without the pages of the identity provider, and without its cookies: the page is still blank. */
  isQuick?: boolean;
  /** Told of each page that is opened for them, before it asks for anything. */
  watch?: (page: Page) => void;
};

/**
 * Somebody at the console: of the test that runs, so `page` and the like are read within it. `hands` and the functions
 * may be taken out before.
 */
export type ConsoleVisit = {
  readonly world: ConsolePage;
  readonly person: Person;
  readonly api: AccountApi;
  readonly page: Page;
  readonly hands: ConsoleHands;
  /**
   * Goes on as that person in a browser that was never used, whose page is the page of the visit from then on; the one
   * before is closed.
   */
  enter(person: Person, options?: BrowserContextOptions): Promise<Page>;
  /** Somebody else at the same account, in a browser of their own. */
  joinAs(role: Role): Promise<{ person: Person; page: Page; hands: ConsoleHands }>;
};

/**
 * The console for the tests of a `describe`: there before the first, without faults after each, and gone with Chromium
 * after the last. Hooks of the suite that come after this call find it, and are done before it goes.
 */
export function provideConsole(
  chromium: Browser | null,
  options: ConsoleOptions = {},
): { readonly world: ConsolePage } {
  let world: ConsolePage | undefined;
  beforeAll(async () => {
    if (chromium) {
      world = await startConsolePage(chromium, options);
    }
  }, 180_000);
  afterEach(() => world?.expectNoFaults());
  afterAll(async () => {
    await world?.stop();
    await chromium?.close();
  });
  return {
    get world() {
      return begun(world);
    },
  };
}

/** `provideConsole`, with somebody signed in whose account nobody else has. */
export function visitConsole(
  chromium: Browser | null,
  { isShared = false, isSignedOut = false, isQuick = false, watch, ...options }: VisitOptions = {},
): ConsoleVisit {
  const used = provideConsole(chromium, options);
  let account: { person: Person; api: AccountApi } | undefined;
  let page: Page | undefined;
  const signIn = (of: Page, person: Person): Promise<void> =>
    isQuick ? used.world.enterAs(of, person) : used.world.signIn(of, person);
  const enter: ConsoleVisit["enter"] = async (person, ofContext) => {
    await page?.context().close();
    page = await used.world.openPage(ofContext);
    watch?.(page);
    if (!isSignedOut) {
      await signIn(page, person);
    }
    return page;
  };
  const begin = async (): Promise<void> => {
    account = await used.world.createAccount();
    await enter(account.person);
  };
  if (isShared) {
    beforeAll(begin, 120_000);
  } else {
    beforeEach(begin, 120_000);
    afterEach(async () => {
      await Promise.all((chromium?.contexts() ?? []).map((context) => context.close()));
    });
  }
  const visit = {
    get world() {
      return used.world;
    },
    get person() {
      return begun(account).person;
    },
    get api() {
      return begun(account).api;
    },
    get page() {
      return begun(page);
    },
  };
  const joinAs: ConsoleVisit["joinAs"] = async (role) => {
    const { world } = used;
    const person = await world.system.auth.createPerson({ account: visit.person.account, role });
    const own = await world.openPage();
    await signIn(own, person);
    return { person, page: own, hands: createHands({ page: own, world }) };
  };
  return Object.assign(visit, { hands: createHands(visit), enter, joinAs });
}

function begun<Value>(value: Value | undefined): Value {
  if (value === undefined) {
    throw new Error("The console is visited in tests and hooks: there is nothing of it before.");
  }
  return value;
}
