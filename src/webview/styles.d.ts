/** Style sheets are bundled into main.css by the build; an import has no value. */
declare module '*.css';
