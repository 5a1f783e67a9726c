import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';
import { t } from '../lib/language.ts';
import { FocusKeepingButton } from './ui/FocusKeepingButton.tsx';

const yard: MantineColorsTuple = [
  '#eaf2fb',
  '#d3e3f5',
  '#a9c9eb',
  '#7db4ee',
  '#5594d6',
  '#387dc6',
  '#2a6db7',
  '#1c5a9c',
  '#164a82',
  '#103a68',
];
const ink: MantineColorsTuple = [
  '#e3e8ee',
  '#b3bdc9',
  '#97a3b1',
  '#6d7987',
  '#45515f',
  '#2f3945',
  '#1f2731',
  '#171d25',
  '#0f141a',
  '#0a0d11',
];

/** Mantine in the console's clothes: small, square-ish, and with the tokens' colours for text and lines. */
export const theme = createTheme({
  primaryColor: 'yard',
  primaryShade: { light: 7, dark: 6 },
  colors: { yard, dark: ink },
  fontFamily: 'var(--font-ui)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: {
    xs: 'var(--text-small)',
    sm: 'var(--text-normal)',
    md: 'var(--font-size)',
    lg: 'var(--text-large)',
    xl: 'var(--text-title)',
  },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '5px', md: '7px', lg: '10px', xl: '16px' },
  spacing: { xs: '6px', sm: '10px', md: '14px', lg: '20px', xl: '28px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--text-title)', lineHeight: '1.3' },
      h2: { fontSize: 'var(--text-large)', lineHeight: '1.4' },
      h3: { fontSize: 'var(--text-normal)', lineHeight: '1.4' },
    },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    UnstyledButton: { defaultProps: { component: FocusKeepingButton } },
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { size: 'md', variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: {
      defaultProps: {
        size: 'xs',
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': t('Show text') },
      },
    },
    Textarea: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    // A list that opened by the focus alone would cover the field below, and take the first Escape of a dialog.
    Select: { defaultProps: { size: 'xs', allowDeselect: false, openOnFocus: false } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    Autocomplete: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    CheckboxGroup: { defaultProps: { size: 'xs' } },
    RadioGroup: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    Radio: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs', withItemsBorders: false } },
    Pagination: { defaultProps: { size: 'sm' } },
    // Without the placeholder the first entry takes the focus, and a menu holds nothing but entries.
    Menu: { defaultProps: { shadow: 'md', withinPortal: true, withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { openDelay: 250, withArrow: true, multiline: true, maw: 420 } },
    // The header of a dialog is no banner of the page.
    Modal: {
      defaultProps: {
        attributes: { header: { role: 'none' } },
        centered: true,
        overlayProps: { backgroundOpacity: 0.45 },
        transitionProps: { duration: 120 },
        closeButtonProps: { 'aria-label': t('Close') },
      },
    },
    Drawer: {
      defaultProps: {
        attributes: { header: { role: 'none' } },
        overlayProps: { backgroundOpacity: 0.25 },
        transitionProps: { duration: 140 },
        closeButtonProps: { 'aria-label': t('Close') },
      },
    },
  },
});

/** Mantine's own faint greys miss 4.5 : 1; these are the tokens'. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface-1)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-3)',
    '--mantine-color-placeholder': 'var(--ink-3)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-error': 'var(--tone-fail-text)',
    '--mantine-color-default': 'var(--surface-1)',
    '--mantine-color-default-hover': 'var(--surface-2)',
    '--mantine-color-default-color': 'var(--ink)',
  };
  // Mantine's own tint is darker than the page at night.
  const tint = {
    '--mantine-color-yard-light': 'var(--accent-bg)',
    '--mantine-color-yard-light-hover': 'color-mix(in srgb, var(--accent-bg) 88%, var(--accent))',
    '--mantine-color-yard-light-color': 'var(--accent)',
  };
  return {
    variables: {},
    light: shared,
    dark: {
      ...shared,
      ...tint,
      '--mantine-color-default': 'var(--surface-2)',
      '--mantine-color-default-hover': 'var(--surface-3)',
    },
  };
};
