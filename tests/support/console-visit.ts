import type { Role } from "@gateway/contract/permissions";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Person } from "../../apps/auth/test/support/test-auth.ts";
import { createHands, type ConsoleHands } from "./console-hands.ts";
import { startConsolePage, type AccountApi, type ConsolePage } from "./console-page.ts";

type ConsoleOptions = NonNullable<Parameters<typeof startConsolePage>[1]>;

export type VisitOptions = ConsoleOptions & {
  /** One account and one page for all tests, instead of new ones for each. */
  isShared?: boolean;
  /** The tests sign in themselves. */
  isSignedOut?: boolean;
  /** People enter without the pages of the identity provider and without its cookies. The page is still blank. */
  isQuick?: boolean;
  /** Called with each new page, before the page sends requests. */
  watch?: (page: Page) => void;
};

/**
 * A visit of the running test to the console, so read `page` and the like within the test. `hands` and the functions
 * may be destructured before.
 */
export type ConsoleVisit = {
  readonly world: ConsolePage;
  readonly person: Person;
  readonly api: AccountApi;
  readonly page: Page;
  readonly hands: ConsoleHands;
  /**
   * Continues as that person in a new browser context, whose page becomes the page of the visit. The previous page is
   * closed.
   */
  enter(person: Person, options?: BrowserContextOptions): Promise<Page>;
  /** Adds another person to the same account, in a browser of their own. */
  joinAs(role: Role): Promise<{ person: Person; page: Page; hands: ConsoleHands }>;
};

/**
 * Provides the console for the tests of a `describe`. It starts before the first test, must be without faults after
 * each, and stops with Chromium after the last. Hooks of the suite that come after this call can use it, and end before
 * it stops.
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

/** `provideConsole`, with a signed-in person in an account of their own. */
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
