import 'react';

// Style sheets take what is known at run time alone (a colour, a count) from custom properties of the element.
declare module 'react' {
  interface CSSProperties {
    [variable: `--${string}`]: string | number | undefined;
  }
}
