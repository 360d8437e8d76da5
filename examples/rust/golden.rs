// SPDX-License-Identifier: Apache-2.0
//! Heft from Rust, by declarations that the build makes from the C headers (examples/rust/rust_bindings.py): loads models, steps worlds,
//! reads contacts, takes and restores a snapshot, and compares the bits of every step with those that C programs have.
//!
//!     golden SCENES GOLDEN      SCENES: the folder scenes; GOLDEN: tests/world/golden_models.txt
use heft::*;
use std::ffi::{CStr, CString};
use std::mem::{size_of, zeroed, MaybeUninit};
use std::os::raw::c_void;
use std::ptr::{null, null_mut};

type Result<T> = std::result::Result<T, String>;

/// HEFT_DEF_COOKIE() of C: the library refuses a def whose size in Rust is another one.
fn cookie<Def>() -> u32 {
    0xDE00_0000 | (HEFT_ABI_VERSION as u32) << 16 | size_of::<Def>() as u32
}

/// Ok, or the message of an error.
fn check(status: HeftStatus, error: &HeftError) -> Result<()> {
    if status == HEFT_OK {
        return Ok(());
    }
    Err(unsafe { CStr::from_ptr(error.message.as_ptr()) }.to_string_lossy().into_owned())
}

struct Model(*mut HeftModel);

impl Model {
    fn load(path: &str) -> Result<Model> {
        let name = CString::new(path).map_err(|e| e.to_string())?;
        let mut model = null_mut();
        unsafe {
            let mut def = MaybeUninit::<HeftLoadDef>::zeroed();
            heft_load_def_init(def.as_mut_ptr(), cookie::<HeftLoadDef>());
            let mut error: HeftError = zeroed();
            check(heft_model_load_file(&mut model, name.as_ptr(), def.as_ptr(), &mut error), &error)?;
        }
        Ok(Model(model))
    }

    fn weight(&self) -> f64 {
        let m = unsafe { &*self.0 };
        let mass = unsafe { std::slice::from_raw_parts(m.body_mass, m.nbody as usize) };
        -m.physics.gravity[2] * mass.iter().skip(1).sum::<f64>()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        unsafe { heft_model_destroy(self.0) }
    }
}

/// A world, which cannot outlive its model.
struct World<'a> {
    world: *mut HeftWorld,
    _model: &'a Model,
}

impl<'a> World<'a> {
    fn new(model: &'a Model, contact_model: HeftContactModel) -> Result<World<'a>> {
        let mut world = null_mut();
        unsafe {
            let mut def = MaybeUninit::<HeftWorldDef>::zeroed();
            heft_world_def_init(def.as_mut_ptr(), cookie::<HeftWorldDef>());
            let mut def = def.assume_init();
            def.contact_model = contact_model;
            def.threads = 1;
            let mut error: HeftError = zeroed();
            check(heft_world_create_for(&mut world, model.0, &def, HEFT_ABI_VERSION, &mut error), &error)?;
        }
        Ok(World { world, _model: model })
    }

    fn step(&mut self) -> HeftStepReport {
        unsafe { heft_world_step(self.world) }
    }

    fn hash(&self) -> u64 {
        unsafe { heft_world_hash(self.world) }
    }

    fn contacts(&self) -> Vec<HeftContact> {
        let count = unsafe { heft_world_contact_count(self.world) };
        let mut contacts = Vec::with_capacity(count as usize);
        unsafe {
            heft_world_contacts(self.world, contacts.as_mut_ptr(), count);
            contacts.set_len(count as usize);
        }
        contacts
    }

    fn snapshot(&self) -> Vec<u8> {
        let mut bytes = vec![0; unsafe { heft_world_snapshot_size(self.world) }];
        unsafe { heft_world_snapshot(self.world, bytes.as_mut_ptr() as *mut c_void) };
        bytes
    }

    fn restore(&mut self, bytes: &[u8]) -> HeftStatus {
        unsafe { heft_world_restore(self.world, bytes.as_ptr() as *const c_void, bytes.len()) }
    }
}

impl Drop for World<'_> {
    fn drop(&mut self) {
        unsafe { heft_world_destroy(self.world) }
    }
}

/// Continues a hash with the bytes of a number.
fn chain<T>(value: T, hash: u64) -> u64 {
    unsafe { heft_hash(&value as *const T as *const c_void, size_of::<T>(), hash) }
}

/// Bits of 100 steps, as tests/world/test_model_golden.c computes them. In the middle the world goes on from its snapshot.
fn bits_of(path: &str, contact_model: HeftContactModel) -> Result<u64> {
    let model = Model::load(path)?;
    let mut world = World::new(&model, contact_model)?;
    let mut hash = 0;
    for step in 0..100 {
        if step == 50 {
            let (bytes, before) = (world.snapshot(), world.hash());
            world.step();
            if world.restore(&bytes) != HEFT_OK || world.hash() != before {
                return Err(format!("{}: a snapshot does not restore the state", path));
            }
        }
        let report = world.step();
        hash = chain(world.hash(), hash);
        hash = chain(report.relative, hash);
    }
    Ok(hash)
}

/// Forces on the floor add up to the weight of bodies at rest.
fn check_contacts(path: &str) -> Result<usize> {
    let model = Model::load(path)?;
    let mut world = World::new(&model, HEFT_CONTACT_MODEL_EXACT)?;
    for _ in 0..50 {
        let report = world.step();
        if report.status != HEFT_STEP_SOLVED {
            return Err(format!("{}: a step has the status {}", path, report.status));
        }
    }
    let contacts = world.contacts();
    let on_floor: f64 = contacts.iter().filter(|c| c.body_a == 0).map(|c| c.force.z).sum();
    if (on_floor - model.weight()).abs() > 1e-6 * model.weight() {
        return Err(format!("{}: the floor carries {} N of {} N", path, on_floor, model.weight()));
    }
    let damaged = &world.snapshot()[1..];
    if world.restore(damaged) == HEFT_OK {
        return Err(format!("{}: damaged bytes were restored", path));
    }
    Ok(contacts.len())
}

extern "C" {
    static heft_struct_sizes: [usize; SIZES.len()]; // by the C compiler
}

/// Every struct has the size that it has in C.
fn check_sizes() -> Result<()> {
    for ((name, size), wanted) in SIZES.iter().zip(unsafe { heft_struct_sizes.iter() }) {
        if size != wanted {
            return Err(format!("{} has {} bytes, in C {}", name, size, wanted));
        }
    }
    Ok(())
}

/// A def whose cookie is that of another size is refused.
fn check_refusal(path: &str) -> Result<()> {
    let model = Model::load(path)?;
    unsafe {
        let mut def = MaybeUninit::<HeftWorldDef>::zeroed();
        heft_world_def_init(def.as_mut_ptr(), cookie::<HeftWorldDef>() + 8);
        let mut world = null_mut();
        let status = heft_world_create_for(&mut world, model.0, def.as_ptr(), HEFT_ABI_VERSION, null::<HeftError>() as *mut HeftError);
        if status != HEFT_ERR_VERSION || !world.is_null() {
            return Err(String::from("a def of another size was accepted"));
        }
    }
    Ok(())
}

fn run(scenes: &str, golden: &str) -> Result<()> {
    check_sizes()?;
    let text = std::fs::read_to_string(golden).map_err(|e| format!("{}: {}", golden, e))?;
    let mut compared = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (scene, name, wanted) = (words[0], CString::new(words[1]).unwrap(), u64::from_str_radix(words[2], 16).unwrap());
        let mut contact_model: HeftContactModel = 0;
        let mut error: HeftError = unsafe { zeroed() };
        check(unsafe { heft_contact_model_find(name.as_ptr(), &mut contact_model, &mut error) }, &error)?;
        let bits = bits_of(&format!("{}/{}.xml", scenes, scene), contact_model)?;
        if bits != wanted {
            return Err(format!("{} with {} has the bits {:016x}, not {:016x}", scene, words[1], bits, wanted));
        }
        compared += 1;
    }
    let cubes = format!("{}/cubes.xml", scenes);
    let contacts = check_contacts(&cubes)?;
    check_refusal(&cubes)?;
    println!("{} structs have their sizes, {} runs the golden bits; {} contacts carry two cubes", SIZES.len(), compared, contacts);
    Ok(())
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if words.len() != 3 {
        eprintln!("usage: golden SCENES GOLDEN");
        std::process::exit(2);
    }
    if let Err(message) = run(&words[1], &words[2]) {
        eprintln!("golden: {}", message);
        std::process::exit(1);
    }
}
