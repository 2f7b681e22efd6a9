/** Style sheets are bundled into main.css by the build; importing one gives nothing. */
declare module '*.css';
