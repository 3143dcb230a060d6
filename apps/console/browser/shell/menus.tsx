import { Menu, MenuButton, MenuItem, MenuProvider, MenuSeparator } from "@ariakit/react";
import type { ComponentProps, ReactNode } from "react";
import { setPreferences, usePreferences } from "../data/preferences.ts";
import { signInUrl, signOut } from "../data/session.ts";
import { ScreenLink } from "../parts/page/address.tsx";
import { Icon } from "../parts/shown/icon.tsx";
import { useSession } from "../parts/page/session-context.tsx";
import { useToast } from "../parts/shown/toasts.tsx";

export type MenuOptions = {
  button: Pick<ComponentProps<"button">, "className" | "aria-label" | "children">;
  /** How its button was used before the menu was loaded. */
  wanted: "open" | "focused" | null;
};

/** Another account, or another role in it, requires another sign-in, at which the identity provider asks which one. */
export function AccountMenu(options: MenuOptions) {
  const { account, accounts } = useSession();
  return (
    <ShellMenu {...options}>
      {accounts.map(({ id, name, role, isSuspended }) => (
        <MenuItem
          key={id}
          className="menu-item"
          disabled={isSuspended}
          onClick={() => id !== account.id && location.assign(signInUrl({ chooseAccount: true }))}
        >
          <span>
            {name || id}
            <small>{isSuspended ? "suspended" : role}</small>
          </span>
          {id === account.id && <Icon name="check" size={14} />}
        </MenuItem>
      ))}
      <MenuSeparator className="menu-separator" />
      <MenuItem className="menu-item" render={<ScreenLink to="/people" />}>
        People and roles
      </MenuItem>
      <MenuItem className="menu-item" render={<ScreenLink to="/settings" />}>
        Settings
      </MenuItem>
    </ShellMenu>
  );
}

export function PersonMenu({ openHelp, ...options }: MenuOptions & { openHelp(): void }) {
  const { person, role, addresses } = useSession();
  const { theme } = usePreferences();
  const toast = useToast();
  const leave = (): void => {
    signOut().catch((error: unknown) => toast(error instanceof Error ? error.message : String(error)));
  };
  return (
    <ShellMenu {...options}>
      <div className="menu-head">
        <strong className="cut">{person.name}</strong>
        <small className="cut">{person.email}</small>
        <small>{role}</small>
      </div>
      <MenuSeparator className="menu-separator" />
      {(["system", "light", "dark"] as const).map((one) => (
        <MenuItem key={one} className="menu-item" hideOnClick={false} onClick={() => setPreferences({ theme: one })}>
          {{ system: "As the system", light: "Light", dark: "Dark" }[one]}
          {one === theme && <Icon name="check" size={14} />}
        </MenuItem>
      ))}
      <MenuSeparator className="menu-separator" />
      <MenuItem className="menu-item" onClick={openHelp}>
        Keyboard <kbd>?</kbd>
      </MenuItem>
      {addresses.docs !== null && (
        <MenuItem className="menu-item" render={<a href={addresses.docs} target="_blank" rel="noreferrer" />}>
          Documentation <Icon name="external" size={14} />
        </MenuItem>
      )}
      <MenuItem
        className="menu-item"
        render={<a href={`${addresses.identity}/account`} target="_blank" rel="noreferrer" />}
      >
        Devices and passkeys <Icon name="external" size={14} />
      </MenuItem>
      <MenuSeparator className="menu-separator" />
      <MenuItem className="menu-item" onClick={leave}>
        Sign out
      </MenuItem>
    </ShellMenu>
  );
}

function ShellMenu({ button, wanted, children }: MenuOptions & { children: ReactNode }) {
  return (
    <MenuProvider defaultOpen={wanted === "open"}>
      <MenuButton {...button} autoFocus={wanted !== null} />
      <Menu className="menu" gutter={6} portal>
        {children}
      </Menu>
    </MenuProvider>
  );
}
