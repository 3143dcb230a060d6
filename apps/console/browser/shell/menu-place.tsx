import { useRef, useState, type ReactNode, useEffect } from "react";
import { whenOnline } from "../data/when-online.ts";
import type { MenuOptions } from "./menus.tsx";

type Menus = Awaited<ReturnType<typeof load>>;

type Options = Pick<MenuOptions, "button"> & { menu(menus: Menus, options: MenuOptions): ReactNode };

const load = () => import("./menus.tsx");

/** A menu and its button. Until the menu is loaded, when the page is idle or on a press, the button is alone. */
export function MenuPlace({ button, menu }: Options) {
  const place = useRef<HTMLButtonElement>(null);
  const [menus, setMenus] = useState<{ menus: Menus; wanted: MenuOptions["wanted"] } | null>(null);
  const come = (wanted: "open" | null): void => {
    void whenOnline(load).then((loaded) => {
      const isFocused = place.current !== null && document.activeElement === place.current;
      setMenus((there) => there ?? { menus: loaded, wanted: wanted ?? (isFocused ? "focused" : null) });
    });
  };
  useWhenIdle(() => come(null));
  return menus === null ? (
    <button
      {...button}
      ref={place}
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => come("open")}
    />
  ) : (
    menu(menus.menus, { button, wanted: menus.wanted })
  );
}

const idleMs = 1_000;

/** Runs `work` once, a moment after the page has appeared: for work that can wait until then. */
export function useWhenIdle(work: () => void): void {
  useEffect(() => {
    const idle = setTimeout(work, idleMs);
    return () => clearTimeout(idle);
  }, []);
}
