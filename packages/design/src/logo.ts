/** For a page, where the stylesheet gives it its size, and as a file of its own. */
export const logoSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6.5" fill="#4f46e5"/><path fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" d="M7 17.500v-5.500a5 5 0 0 1 10 0v5.500M12 13.500v4"/></svg>';
