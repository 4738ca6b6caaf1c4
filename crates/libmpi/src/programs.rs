//! The programs of a launch as ranks run them: stacks, images, privacy.

use foretell_images::{Libraries, Program};
use foretell_launch as asked;
use foretell_ranks::{GuardChoice, Privacy, Ranks, Settings, Template};

use crate::free_memory;
use crate::start::Main;

/// Stacks and programs for all ranks of a launch.
pub(crate) fn ranks(main: Main, launch: &asked::Launch) -> Result<Ranks, String> {
    let libraries = match &launch.libraries {
        asked::Libraries::ExceptSystem => Libraries::ExceptSystem,
        asked::Libraries::Only(names) => Libraries::Only(names.clone()),
        asked::Libraries::None => Libraries::None,
    };
    let mut programs = Vec::new();
    for (at, program) in launch.programs.iter().enumerate() {
        // The first is this process's own executable, which the loader has bound already.
        programs.push(match at {
            0 => Program::of_this_process(main as usize, &libraries),
            _ => Program::open(&program.path, &libraries),
        });
    }
    let programs = programs.into_iter().collect::<Result<Vec<Program>, _>>();
    let programs = programs.map_err(|error| error.to_string())?;
    let count = launch.ranks();
    let privacy = privacy(launch, &programs);
    if privacy == Privacy::Images {
        ask_for_large_pages(launch, &programs);
    }
    let settings = Settings {
        stack_size: launch.stack_size.map_or_else(|| stack_size(count), |bytes| bytes as usize),
        privacy,
        guard: match launch.guard {
            // Whoever asks for none wants many ranks: guards that cost no mapping are kept.
            Some(false) => GuardChoice::CanaryAccepted,
            _ => GuardChoice::Sure,
        },
        label: launch.label,
    };
    let programs: Vec<Box<dyn Template>> =
        programs.into_iter().map(|program| Box::new(program) as Box<dyn Template>).collect();
    Ranks::new(settings, count, programs).map_err(|error| error.to_string())
}

/// A program without globals of its own needs no image for each rank.
fn privacy(launch: &asked::Launch, programs: &[Program]) -> Privacy {
    let is_one = launch.programs.len() == 1;
    match launch.privacy {
        asked::Privacy::Images if is_one && !programs.iter().any(Program::has_globals) => {
            Privacy::Shared
        }
        asked::Privacy::Images => Privacy::Images,
        asked::Privacy::Copies => Privacy::Copies,
        asked::Privacy::Shared => Privacy::Shared,
    }
}

/// Large arrays among the globals of ranks get large pages, if the launch says so. How much of them
/// a program will touch nobody knows: so that it cannot take much more memory than without, those of
/// all ranks must fit into a quarter of what is free. They are no gain where a host takes free memory
/// back.
fn ask_for_large_pages(launch: &asked::Launch, programs: &[Program]) {
    let each = launch.programs.iter().zip(programs);
    let all: usize =
        each.map(|(asked, program)| asked.ranks as usize * program.large_zeroes()).sum();
    let is_worth = match launch.large_pages {
        asked::LargePages::Auto => {
            all > 0 && all <= free_memory::bytes() / 4 && !free_memory::is_taken_back()
        }
        asked::LargePages::Always => true,
        asked::LargePages::Never => false,
    };
    if is_worth {
        programs.iter().for_each(Program::use_large_pages);
    }
}

/// What systems give a process, as long as addresses are cheap. Each stack costs a page table of
/// its own when they lie far apart, so many ranks get less.
fn stack_size(ranks: u32) -> usize {
    match ranks {
        0..=4_096 => 8 << 20,
        4_097..=65_536 => 1 << 20,
        _ => 256 << 10,
    }
}
